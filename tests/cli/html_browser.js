// SPDX-License-Identifier: Apache-2.0
// Put behind the script of a report (html_report.py), it uses the page as a person would and leaves
// what came of it in the title, where `chromium --dump-dom` shows it.
"use strict";
const outcome = { overflow: document.documentElement.scrollWidth - innerWidth };
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const wide = (name) => data.results.findIndex((result) => result.name === name);
const shades = (selector) => [...byId("details").querySelectorAll(selector)].map((node) => Number(getComputedStyle(node).opacity));
const rowsSeen = () => [...document.querySelectorAll("#list tbody tr")].filter((row) => row.offsetParent !== null).length;

outcome.all = rowsSeen();
byId("filter").value = "closedIsEmpty";
byId("filter").dispatchEvent(new Event("input"));
outcome.filtered = rowsSeen();  // the property and the name of its file
byId("filter").value = "";
byId("filter").dispatchEvent(new Event("input"));

byId("row" + wide("closedIsEmpty")).click();
outcome.step = [byId("step").textContent];
press("ArrowLeft");
outcome.step.push(byId("step").textContent);
byId("slider").value = "0";
byId("slider").dispatchEvent(new Event("input"));
outcome.step.push(byId("step").textContent);
press("End");
outcome.here = byId("diagram").querySelector(".here text").textContent;
outcome.taken = [...byId("diagram").querySelectorAll("tspan.taken")].map((node) => node.textContent);
outcome.onTop = byId("diagram").getBoundingClientRect().height > 0;

outcome.grey = [];
if (wide("nothingLost") >= 0) {
  byId("row" + wide("nothingLost")).click();
  outcome.drawing = byId("diagram").querySelectorAll("svg").length;
  outcome.grey.push(Math.min(...shades(".gone")));
  byId("grey").click();
  outcome.grey.push(Math.min(...shades(".gone")));
  press("g");
  outcome.grey.push(Math.min(...shades(".gone")));
  const gone = byId("details").querySelector(".line.gone");
  gone.click();
  outcome.why = byId("why").textContent;
}
byId("theme").click();
outcome.back = getComputedStyle(document.body).backgroundColor;
byId("theme").click();
window.dispatchEvent(new Event("beforeprint"));
outcome.paper = byId("paper").querySelectorAll("article").length;
outcome.paperSeen = getComputedStyle(byId("paper")).display;
window.dispatchEvent(new Event("afterprint"));
outcome.after = byId("paper").children.length;
document.title = JSON.stringify(outcome);
