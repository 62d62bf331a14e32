// SPDX-License-Identifier: Apache-2.0
// Runs the script of a report without a browser: a document that can do what the script asks of it,
// and nothing that reads markup. `node html_page.js REPORT` chooses every property, goes to every
// step of its trace, uses keys and filters, and prints what is shown as JSON.
"use strict";
const fs = require("node:fs");

class Node {
  constructor(tag) {
    this.tagName = tag.toUpperCase();
    this.children = [];
    this.attributes = {};
    this.listeners = {};
    this.dataset = {};
    this.hidden = false;
    this.text = null;
    this.focused = false;
  }
  appendChild(child) { this.children.push(child); return child; }
  replaceChildren(...children) { this.children = children; this.text = null; }
  setAttribute(name, value) { this.attributes[name] = String(value); if (name === "id") known.set(String(value), this); if (name === "value") this.value = String(value); }
  removeAttribute(name) { delete this.attributes[name]; }
  addEventListener(name, action) { (this.listeners[name] = this.listeners[name] || []).push(action); }
  fire(name, event = {}) { for (const action of this.listeners[name] || []) action({ preventDefault() {}, ...event }); }
  focus() { this.focused = true; }
  get type() { return this.attributes.type || ""; }
  set textContent(value) { this.children = []; this.text = value; }
  get textContent() { return this.text !== null ? String(this.text) : this.children.map((child) => child.textContent).join(""); }
  *all() { yield this; for (const child of this.children) if (child.all) yield* child.all(); }
}

const known = new Map();
const page = fs.readFileSync(process.argv[2], "utf8");
const between = (begin, end) => page.slice(page.indexOf(begin) + begin.length, page.indexOf(end, page.indexOf(begin) + begin.length));
const source = between("<script type=\"application/json\" id=\"data\">", "</script>");
const script = page.slice(page.lastIndexOf("<script>") + 8, page.lastIndexOf("</script>"));
for (const [, id] of page.matchAll(/\bid="(\w+)"/g)) new Node("div").setAttribute("id", id);
known.get("data").textContent = source;
known.get("filter").value = "";
known.get("sign").value = "";

const document = {
  listeners: {},
  documentElement: new Node("html"),
  getElementById: (id) => known.get(id) || null,
  createElement: (tag) => new Node(tag),
  createElementNS: (_, tag) => new Node(tag),
  createTextNode: (text) => ({ textContent: String(text) }),
  addEventListener(name, action) { this.listeners[name] = action; },
};
const place = { hash: "" };
const window = { listeners: {}, addEventListener(name, action) { this.listeners[name] = action; } };
new Function("document", "location", "matchMedia", "window", script)(document, place, () => ({ matches: false }), window);

const press = (key) => document.listeners.keydown({ key, target: new Node("body"), preventDefault() {} });
const shown = [];
const results = JSON.parse(source).results;
results.forEach((result, index) => {
  known.get("row" + index).fire("click");
  const texts = [known.get("details").textContent];
  const steps = result.trace === null ? 0 : result.trace.steps.length;
  press("Home");
  for (let step = 0; step < Math.min(steps, 40); ++step) press("ArrowRight");
  press("End");
  for (const node of known.get("details").all()) if (node.attributes.class && node.attributes.class.startsWith("line")) node.fire("click");
  for (const node of known.get("details").all()) if (node.attributes.role === "tab") node.fire("click");
  texts.push(known.get("details").textContent);
  press("g");
  press("g");
  shown.push({ name: result.name, step: steps > 0 ? known.get("step").textContent : "", text: texts.join("\n"), hash: place.hash,
    drawings: [...known.get("details").all()].filter((node) => node.tagName === "SVG").length });
});
window.listeners.beforeprint();
const paper = known.get("paper").children.length;
window.listeners.afterprint();
press("ArrowUp");
press("j");
press("/");
known.get("theme").fire("click");
const theme = document.documentElement.dataset.theme;
known.get("sign").value = "bad";
known.get("sign").fire("input");
const bad = results.map((_, index) => index).filter((index) => !known.get("row" + index).hidden);
known.get("sign").value = "";
known.get("filter").value = "no such property anywhere";
known.get("filter").fire("input");
const none = known.get("count").textContent;
console.log(JSON.stringify({ shown, bad, none, theme, paper, searching: known.get("filter").focused }));
