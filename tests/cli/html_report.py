#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`whittle check --html`: one file that needs nothing else, is small, and runs nothing from models.

What the script of the page shows is looked at with Node.js (html_page.js), and with Chromium where
there is one.
"""

import argparse
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
    subprocess.run([whittle, "check", *arguments, "--html", page, "--quiet"], cwd=ROOT,
                   capture_output=True, check=False, timeout=300)
    return page


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


def look_in_chromium(findings, page):
    """The page as a browser makes it: the details of the property that is chosen are there."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("chromium is not installed: the page is not looked at in a browser")
        return
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                           f"file://{page}"], capture_output=True, text=True, timeout=120)
    if "Step by step" not in done.stdout or "alert(1)>" in re.sub(r"<script.*?</script>", "", done.stdout, flags=re.S):
        findings.problem("chromium", "the trace is not shown, or a name became markup")


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
        page = report(whittle, folder, hostile)
        look_at_text(findings, "hostile names", page, 2)
        look_in_chromium(findings, page)
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
        page = report(whittle, folder, "examples/sts/bank_account.sts", "examples/rebel/garage",
                      "examples/proc/stack.proc", "examples/sts/limited_account.sts")
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
