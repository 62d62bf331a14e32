#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`whittle check --html`: one file that needs nothing else, is small, and runs nothing from models.

What the script of the page shows is looked at with Node.js (html_page.js), and with Chromium where
there is one.
"""

import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

HERE = Path(__file__).resolve().parent
HOSTILE = """system Evil
var x: Int
node "<img src=x onerror=alert(1)>"
start "<img src=x onerror=alert(1)>": x == 0
transition "</script><script>alert(2)</script>": "<img src=x onerror=alert(1)>" -> "<img src=x onerror=alert(1)>"
  then x' == x + 1
// </script><script>alert(3)</script>
safety "\\" onclick=alert(4) '<b>&amp;": x < 2
safety "</SCRIPT ><svg onload=alert(5)>": x >= 0
"""


def report(whittle, folder, *arguments):
    page = folder / "report.html"
    done = subprocess.run([whittle, "check", *arguments, "--html", page, "--json"], cwd=ROOT, text=True,
                          capture_output=True, check=False, timeout=300)
    return page, json.loads(done.stdout)


def look_at_text(findings, name, page, properties):
    text = page.read_text()
    scripts = re.findall(r"<\s*/?\s*script", text, re.I)
    if len(scripts) != 4:
        findings.problem(name, f"{len(scripts)} script tags, expected two elements")
    for pattern in (r"<img", r"<svg onload", r"\bsrc\s*=\s*[\"'h]", r"\bhref\s*=", r"@import", r"url\("):
        if re.search(pattern, text.split('id="data"')[0], re.I):
            findings.problem(name, f"the page has {pattern}")
    if len(re.findall(r'<tr id="row', text)) != properties:
        findings.problem(name, "a row per property is missing")
    if len(text) > 1_000_000:
        findings.problem(name, f"{len(text)} bytes are too many")
    return len(text)


def run_script(findings, name, page):
    done = subprocess.run(["node", HERE / "html_page.js", page], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        findings.problem(name, done.stderr)
        return None
    return json.loads(done.stdout)


def browser():
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        print("chromium is not installed: the page is not looked at in a browser")
    return found


def in_chromium(page, folder, *options):
    return subprocess.run([browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                           "--disable-background-networking", "--disable-component-update", "--disable-sync",
                           f"--user-data-dir={folder}/profile", *options, f"file://{page}"],
                          capture_output=True, text=True, timeout=120)


def look_for_markup(findings, page, folder):
    """The page as a browser makes it: the details of the property that is chosen are there."""
    done = in_chromium(page, folder, "--dump-dom")
    if "Step by step" not in done.stdout or "alert(1)>" in re.sub(r"<script.*?</script>", "", done.stdout, flags=re.S):
        findings.problem("chromium", "the trace is not shown, or a name became markup")


def use_in_chromium(findings, page, folder):
    """Filters, steps, greys and prints in a browser, at the widths of a phone, a tablet and a screen."""
    script = (HERE / "html_browser.js").read_text()
    driven = folder / "driven.html"
    driven.write_text(page.read_text().replace("</body>", f"<script>{script}</script></body>"))
    for width in (500, 800, 1400):  # a window of Chromium is not narrower
        done = in_chromium(driven, folder, f"--window-size={width},900", "--dump-dom")
        title = re.search(r"<title>(\{.*?)</title>", done.stdout, re.S)
        if title is None:
            findings.problem(f"chromium, {width}", f"the script failed: {done.stderr[-600:]}")
            continue
        saw = json.loads(html.unescape(title.group(1)))
        wanted = {"filtered": 2, "step": ["Step 2: seize", "Step 1: freeze", "Step 0: start"], "here": "Closed",
                  "taken": ["freeze", "seize"], "onTop": True, "drawing": 1, "after": 0, "paperSeen": "none"}
        for key, value in wanted.items():
            if saw.get(key) != value:
                findings.problem(f"chromium, {width}", f"{key} is {saw.get(key)}, not {value}")
        if saw["overflow"] > 0:
            findings.problem(f"chromium, {width}", f"the page is {saw['overflow']} pixels wider than its window")
        if not (saw["grey"][0] < 0.5 and saw["grey"][1] == 1 and saw["grey"][2] == saw["grey"][0]):
            findings.problem(f"chromium, {width}", f"grey is {saw['grey']}")
        if "does not matter" not in saw["why"] or saw["paper"] < 1:
            findings.problem(f"chromium, {width}", f"{saw['why']}; {saw['paper']} articles on paper")
    paper = folder / "paper.pdf"
    in_chromium(page, folder, f"--print-to-pdf={paper}")
    if not paper.is_file() or not paper.read_bytes().startswith(b"%PDF"):
        findings.problem("chromium", "the page is not printed")


def values_after(trace):
    """The last state of a trace, as the page makes it."""
    state = {}
    for instance, name, value in trace["initial"] + [one for step in trace["steps"] for one in step["changes"]]:
        state[instance, name] = value
    return state


def compare(findings, page, document):
    """Every claim of the page is one of the JSON document."""
    text = page.read_text()
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
    if len(data["results"]) != len(document["results"]):
        return findings.problem("claims", "the page has other properties than the JSON document")
    for shown, result in zip(data["results"], document["results"]):
        place = f"{result['file']}, {result['property']}"
        claims = [(shown["file"], result["file"]), (shown["name"], result["property"]), (shown["kind"], result["kind"]),
                  (shown["verdict"].split()[0].strip(":,"), result["verdict"]), (shown["notes"], result["notes"]),
                  (shown["line"], result["line"] if shown["text"] else 0),
                  (shown["trace"] is None, result["trace"] is None),
                  (bool(shown["invariant"]), result["invariant"] is not None),
                  (shown["sign"] == "bad", (result["as_expected"] is False) or (result["as_expected"] is None and result["met"] is False))]
        if result["trace"]:
            final = result["trace"]["final"]
            state = values_after(shown["trace"])
            single = len(shown["trace"]["instances"]) == 1
            for (instance, name), value in state.items():
                prefix = "" if single or not instance else instance + ("." if name else "")
                key = prefix + (name or "@")
                claims.append((value, final.get(key)))
            claims += [(shown["steps"], str(result["depth"])),
                       ([(one["n"], one["times"]) for one in shown["trace"]["steps"]][:300],
                        [(one["n"], one["times"]) for one in result["trace"]["steps"]][:300])]
            for one, other in zip(shown["trace"]["steps"][:300], result["trace"]["steps"]):
                claims.append((one["events"][0]["event"], other["event"]))
        if result["slice"] and shown["slice"]:
            kept, everything = result["slice"]["variables"]
            claims.append((f"{kept} of {everything} variables" in shown["slice"], True))
        for said, true in claims:
            if said != true:
                findings.problem(place, f"the page says {said!r}, the JSON document {true!r}")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    arguments = parser.parse_args()
    whittle = Path(arguments.whittle).resolve()
    findings = Findings("html_report")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        hostile = folder / "hostile.sts"
        hostile.write_text(HOSTILE)
        before = findings.problems
        page, _ = report(whittle, folder, hostile)
        look_at_text(findings, "hostile names", page, 2)
        if browser():
            look_for_markup(findings, page, folder)
        findings.case(before)
        if shutil.which("node") is None:
            print("node is not installed: the script of the page is not run")
            return findings.finish()
        before = findings.problems
        shown = run_script(findings, "hostile names", page)
        if shown and not ("<img" in shown["shown"][0]["text"] and shown["bad"] == [0] and shown["searching"] and
                          shown["none"].startswith("0 of") and shown["theme"] == "dark"):
            findings.problem("hostile names", f"names, filters or keys do not work: {json.dumps(shown)[:600]}")
        findings.case(before)
        before = findings.problems
        page, document = report(whittle, folder, "examples/sts/bank_account.sts", "examples/rebel/garage",
                                "examples/proc/stack.proc", "examples/sts/limited_account.sts",
                                "examples/sts/tutorial/repaired.sts", "examples/cfa/order.cfa")
        compare(findings, page, document)
        if browser():
            use_in_chromium(findings, page, folder)
        shown = run_script(findings, "examples", page)
        if shown:
            by_name = {one["name"]: one for one in shown["shown"]}
            account = by_name["closedIsEmpty"]
            for words in ("Why it fails", "balance == 0", "balance = 50", "seize", "Line "):
                if words not in account["text"]:
                    findings.problem("closedIsEmpty", f"'{words}' is not shown")
            if account["drawings"] != 1 or account["hash"] != "1":
                findings.problem("closedIsEmpty", "the drawing or the address is missing")
            if not account["step"].startswith("Step 2: seize"):
                findings.problem("closedIsEmpty", account["step"])
        findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
