// SPDX-License-Identifier: Apache-2.0
// The report in a browser. All data is in the element #data; it reaches the page as text only
// (textContent, attributes), never as markup.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const svgSpace = "http://www.w3.org/2000/svg";
const chosen = { result: -1, step: 0, machine: 0 };

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  fill(made, attributes, children);
  return made;
}

function drawn(name, attributes, ...children) {
  const made = document.createElementNS(svgSpace, name);
  fill(made, attributes, children);
  return made;
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "click") made.addEventListener("click", value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    made.appendChild(typeof child === "object" ? child : document.createTextNode(String(child)));
  }
}

function byId(id) {
  return document.getElementById(id);
}

// ----- the table of all properties

function rows() {
  return data.results.map((_, index) => byId("row" + index));
}

function shownResults() {
  return data.results.map((_, index) => index).filter((index) => !byId("row" + index).hidden);
}

function applyFilter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const sign = byId("sign").value;
  let count = 0;
  data.results.forEach((result, index) => {
    const text = (result.file + " " + result.name + " " + result.short).toLowerCase();
    const fits = words.every((word) => text.includes(word)) &&
      (sign === "" || result.sign === sign || (sign === "look" && result.sign !== "good" && result.sign !== "answer"));
    byId("row" + index).hidden = !fits;
    if (fits) ++count;
  });
  byId("count").textContent = count + " of " + data.results.length + " shown";
}

function choose(index) {
  if (index < 0 || index >= data.results.length) return;
  chosen.result = index;
  const trace = data.results[index].trace;
  chosen.step = trace === null ? 0 : trace.steps.length;
  chosen.machine = 0;
  rows().forEach((row, at) => {
    if (at === index) row.setAttribute("aria-selected", "true");
    else row.removeAttribute("aria-selected");
  });
  const details = byId("details");
  details.replaceChildren(...sections(data.results[index]));
  showStep();
  location.hash = String(index);
}

// ----- one property

function sections(result) {
  const list = [
    element("h2", {}, element("span", { class: "mark " + result.sign }, result.mark), " ", result.name),
    element("p", { class: "verdict " + result.sign }, result.verdict),
  ];
  if (result.text !== null) list.push(element("pre", { class: "question" }, result.text));
  list.push(facts(result));
  if (result.parts.length > 0) list.push(partsOf(result));
  if (result.trace !== null) list.push(...traceSections(result));
  if (result.invariant.length > 0) {
    list.push(element("h3", {}, "Invariant"),
      element("p", {}, "True in every reachable state, and enough to prove the verdict:"),
      element("ul", { class: "invariant" }, result.invariant.map((part) => element("li", {}, element("code", {}, part)))));
  }
  if (result.source !== null) list.push(...sourceSections(result));
  return list;
}

function facts(result) {
  const entries = [["file", result.file + (result.line > 0 ? ", line " + result.line : "")],
    ["kind", result.kind], ["expected", result.expected], ["how", result.how], ["reason", result.reason], ["note", result.notes.join("; ")],
    ["next", result.next.join("; ")], ["slice", result.slice], ["time", result.seconds.toFixed(2) + " s"]];
  return element("dl", {}, entries.filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]).flat());
}

function partsOf(result) {
  return element("div", { class: "parts" }, element("h3", {}, "Why it fails in the last state"),
    element("ul", {}, result.parts.map((part) => element("li", { class: part.holds ? "good" : "bad" },
      element("span", { class: "mark" }, part.holds ? "✓" : "✗"), " ", element("code", {}, part.condition),
      part.values.length > 0 ? element("span", { class: "values" }, "  " + part.values.join(", ")) : null,
      part.undefined !== "" ? element("span", { class: "values" }, "  has no value: " + part.undefined) : null))));
}

// ----- traces

// The values after so many steps, by instance and name; the empty name is the location.
function stateAfter(trace, step) {
  const state = new Map();
  const set = ([instance, name, value]) => state.set(instance + "\n" + name, value);
  trace.initial.forEach(set);
  for (let i = 0; i < step; ++i) trace.steps[i].changes.forEach(set);
  return state;
}

function callOf(event) {
  const inside = event.arguments.map(([name, value]) => name + " = " + value).join(", ");
  return event.event + (inside === "" ? "" : "(" + inside + ")");
}

function titleOf(trace, step) {
  if (step === 0) return "start";
  const taken = trace.steps[step - 1];
  const times = taken.times > 1 ? " × " + taken.times : "";
  return taken.events.filter((event) => event.depth === 0).map(callOf).join("; ") + times;
}

function numberOf(trace, step) {
  if (step === 0) return "0";
  const taken = trace.steps[step - 1];
  const number = taken.times > 1 ? taken.n + "–" + (taken.n + taken.times - 1) : String(taken.n);
  return taken.repeated ? "↻ " + number : number;
}

function traceSections(result) {
  const trace = result.trace;
  const slider = element("input", { type: "range", id: "slider", min: 0, max: trace.steps.length, step: 1,
    value: trace.steps.length, "aria-label": "step of the trace" });
  slider.addEventListener("input", () => { chosen.step = Number(slider.value); showStep(); });
  const move = (by) => () => { moveStep(by); };
  return [
    element("h3", {}, "Trace"),
    trace.missing > 0 ? element("p", { class: "note" }, trace.missing + " entries in the middle are left out") : null,
    trace.loop !== "" ? element("p", { class: "note" }, trace.loop) : null,
    element("div", { class: "controls" },
      element("button", { type: "button", click: move(-Infinity), title: "first (Home)" }, "⏮"),
      element("button", { type: "button", click: move(-1), title: "back (←)" }, "◀"),
      slider,
      element("button", { type: "button", click: move(1), title: "on (→)" }, "▶"),
      element("button", { type: "button", click: move(Infinity), title: "last (End)" }, "⏭")),
    element("p", { id: "step", "aria-live": "polite" }),
    element("div", { class: "pair" }, element("div", { id: "state", class: "scroll" }), element("div", { id: "diagram", class: "scroll" })),
    element("h3", {}, "Who does what"), element("div", { id: "lanes", class: "scroll" }),
    element("h3", {}, "Step by step"), element("div", { id: "steps", class: "scroll" }, stepTable(trace)),
  ].filter((section) => section !== null);
}

function moveStep(by) {
  const result = data.results[chosen.result];
  if (!result || result.trace === null) return;
  // A loop goes on with its first step.
  const again = by === 1 && chosen.step === result.trace.steps.length && result.trace.back >= 0;
  chosen.step = again ? result.trace.back + 1 : Math.max(0, Math.min(result.trace.steps.length, chosen.step + by));
  byId("slider").value = String(chosen.step);
  showStep();
}

function stepTable(trace) {
  const body = [];
  for (let step = 0; step <= trace.steps.length; ++step) {
    const changes = step === 0 ? trace.initial : trace.steps[step - 1].changes;
    body.push(element("tr", { id: "step" + step, click: () => { chosen.step = step; byId("slider").value = String(step); showStep(); } },
      element("td", { class: "number" }, numberOf(trace, step)), element("td", {}, titleOf(trace, step)),
      element("td", { class: "values" }, changes.map(([instance, name, value]) => shownChange(trace, instance, name, value)).join(", "))));
  }
  return element("table", {}, element("thead", {}, element("tr", {}, ["step", "event", "changes"].map((name) => element("th", {}, name)))),
    element("tbody", {}, body));
}

function shownChange(trace, instance, name, value) {
  const who = instance === "" || trace.instances.length === 1 ? "" : instance;
  if (name === "") return (who === "" ? "" : who + " ") + "at " + value;
  return (who === "" ? "" : who + ".") + name + " = " + value;
}

function showStep() {
  const result = data.results[chosen.result];
  if (!result || result.trace === null) return;
  const trace = result.trace;
  byId("step").textContent = "Step " + numberOf(trace, chosen.step) + ": " + titleOf(trace, chosen.step);
  byId("state").replaceChildren(stateTable(trace));
  byId("lanes").replaceChildren(lanes(trace));
  byId("diagram").replaceChildren(...diagrams(result));
  for (let step = 0; step <= trace.steps.length; ++step) byId("step" + step).className = step === chosen.step ? "now" : "";
}

function stateTable(trace) {
  const now = stateAfter(trace, chosen.step);
  const before = chosen.step > 0 ? stateAfter(trace, chosen.step - 1) : now;
  const body = [];
  for (const [key, value] of now) {
    const [instance, name] = key.split("\n");
    const old = before.get(key);
    const changed = old !== value;
    body.push(element("tr", { class: changed ? "changed" : "" }, element("td", {}, instance),
      element("td", {}, name === "" ? "at" : name), element("td", {}, value),
      element("td", { class: "old" }, changed && old !== undefined ? old : "")));
  }
  return element("table", {}, element("thead", {}, element("tr", {}, ["who", "what", "now", "before"].map((name) => element("th", {}, name)))),
    element("tbody", {}, body));
}

// A row per instance, a column per step; a window of them where there are many.
function lanes(trace) {
  const around = 15;
  const first = Math.max(0, Math.min(chosen.step - around, trace.steps.length - 2 * around));
  const last = Math.min(trace.steps.length, first + 2 * around);
  const steps = [];
  for (let step = first; step <= last; ++step) steps.push(step);
  const head = element("tr", {}, element("th", {}, ""), steps.map((step) => element("th", { class: step === chosen.step ? "now" : "" }, numberOf(trace, step))));
  const body = trace.instances.map(({ name }) => element("tr", {}, element("th", {}, name), steps.map((step) => {
    const events = step === 0 ? [] : trace.steps[step - 1].events.filter((event) => event.instance === name);
    const place = stateAfter(trace, step).get(name + "\n");
    const kind = step === chosen.step ? "now" : "";
    return element("td", { class: kind + (events.length > 0 ? " acts" : "") },
      events.map((event) => element("div", { class: "event", title: callOf(event) }, event.event)),
      place === undefined ? null : element("div", { class: "place" }, place));
  })));
  return element("table", { class: "lanes" }, element("thead", {}, head), element("tbody", {}, body));
}

// ----- machines as drawings

function diagrams(result) {
  const trace = result.trace;
  const model = data.models[result.model];
  const usable = trace.instances.filter(({ machine }) => machine >= 0 && model[machine].locations.length > 1);
  if (usable.length === 0) return [];
  const at = Math.min(chosen.machine, usable.length - 1);
  const parts = [];
  if (usable.length > 1) {
    parts.push(element("div", { class: "tabs", role: "tablist" }, usable.map(({ name }, index) =>
      element("button", { type: "button", role: "tab", "aria-selected": index === at ? "true" : "false",
        click: () => { chosen.machine = index; showStep(); } }, name))));
  }
  const { name, machine } = usable[at];
  if (model[machine].locations.length > 60) parts.push(element("p", { class: "note" }, "too many places for a drawing"));
  else parts.push(drawing(model[machine], wayOf(trace, name)));
  return parts;
}

// The places of an instance up to the step at hand, and the arcs between them.
function wayOf(trace, name) {
  const way = { places: new Set(), arcs: new Set(), now: undefined };
  for (let step = 0; step <= chosen.step; ++step) {
    const place = stateAfter(trace, step).get(name + "\n");
    const acts = step > 0 && trace.steps[step - 1].events.some((event) => event.instance === name);
    if (acts && way.now !== undefined) way.arcs.add(way.now + "\n" + place);
    way.now = place;
    way.places.add(place);
  }
  return way;
}

// Columns by the distance from the start; within a column in the order of the model.
function layout(machine) {
  const level = machine.locations.map(() => -1);
  let open = machine.starts.slice();
  open.forEach((place) => { level[place] = 0; });
  for (let depth = 1; open.length > 0; ++depth) {
    const next = [];
    for (const [from, to] of machine.arcs) {
      if (open.includes(from) && level[to] < 0) { level[to] = depth; next.push(to); }
    }
    open = next;
  }
  const columns = [];
  level.forEach((depth, place) => {
    const column = depth < 0 ? 0 : depth;
    (columns[column] = columns[column] || []).push(place);
  });
  const widest = Math.max(...machine.locations.map(({ name }) => name.length));
  const width = Math.min(190, Math.max(70, widest * 7.5 + 24));
  const highest = Math.max(...columns.map((column) => (column || []).length));
  const places = [];
  columns.forEach((column, x) => (column || []).forEach((place, y) => {
    places[place] = { x: 30 + x * (width + 110), y: 50 + (y + (highest - column.length) / 2) * 90 };
  }));
  return { places, width, height: 34, all: { x: 60 + columns.length * (width + 110), y: 70 + highest * 90 } };
}

function drawing(machine, way) {
  const { places, width, height, all } = layout(machine);
  const picture = drawn("svg", { viewBox: "0 0 " + all.x + " " + all.y, class: "machine", role: "img",
    "aria-label": "states of " + machine.name, width: Math.min(all.x, 900) });
  picture.appendChild(drawn("defs", {}, ["", "taken"].map((kind) => drawn("marker", { id: "tip" + kind, viewBox: "0 0 8 8", refX: 8, refY: 4,
    markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, drawn("path", { d: "M0 0 L8 4 L0 8 z", class: "tip " + kind })))));
  const together = new Map();
  for (const [from, to, event] of machine.arcs) {
    const key = from + " " + to;
    if (!together.has(key)) together.set(key, { from, to, events: [] });
    together.get(key).events.push(event);
  }
  for (const { from, to, events } of together.values()) {
    const taken = way.arcs.has(machine.locations[from].name + "\n" + machine.locations[to].name);
    picture.appendChild(arc(places, width, height, from, to, events, taken, together.has(to + " " + from)));
  }
  machine.locations.forEach((location, index) => {
    const { x, y } = places[index];
    const kind = (way.now === location.name ? " here" : way.places.has(location.name) ? " seen" : "") + (location.error ? " error" : "");
    const start = machine.starts.includes(index);
    picture.appendChild(drawn("g", { class: "place" + kind },
      start ? drawn("path", { d: "M" + (x - 24) + " " + (y + height / 2) + " L" + x + " " + (y + height / 2), "marker-end": "url(#tip)", class: "arc" }) : null,
      location.final ? drawn("rect", { x: x - 4, y: y - 4, width: width + 8, height: height + 8, rx: 12 }) : null,
      drawn("rect", { x, y, width, height, rx: 9 }),
      drawn("text", { x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle" }, shortened(location.name, 24))));
  });
  return picture;
}

function shortened(text, length) {
  return text.length > length ? text.slice(0, length - 1) + "…" : text;
}

function arc(places, width, height, from, to, events, taken, both) {
  const a = places[from];
  const b = places[to];
  const label = shortened(events.join(", "), 26);
  const kind = taken ? " taken" : "";
  let path;
  let text;
  if (from === to) {
    const x = a.x + width / 2;
    path = "M" + (x - 14) + " " + a.y + " C" + (x - 34) + " " + (a.y - 36) + " " + (x + 34) + " " + (a.y - 36) + " " + (x + 14) + " " + a.y;
    text = { x, y: a.y - 30 };
  } else if (b.x > a.x) {
    const lift = both ? -16 : 0;
    const x1 = a.x + width;
    const y1 = a.y + height / 2 + lift / 2;
    const y2 = b.y + height / 2 + lift / 2;
    const middle = (x1 + b.x) / 2;
    path = "M" + x1 + " " + y1 + " C" + middle + " " + (y1 + lift) + " " + middle + " " + (y2 + lift) + " " + b.x + " " + y2;
    text = { x: middle, y: (y1 + y2) / 2 + lift - 5 };
  } else {
    const low = Math.max(a.y, b.y) + height + 34;
    const x1 = a.x + width / 2 + (a.x === b.x ? 20 : 0);
    const x2 = b.x + width / 2 + 12;
    const down = b.y > a.y && a.x === b.x;
    const end = down ? b.y : b.y + height;
    path = "M" + x1 + " " + (a.y + height) + " C" + x1 + " " + (down ? (a.y + height + b.y) / 2 : low) + " " + x2 + " " + (down ? (a.y + height + b.y) / 2 : low) + " " + x2 + " " + end;
    text = { x: (x1 + x2) / 2, y: down ? (a.y + height + b.y) / 2 : low - 12 };
  }
  return drawn("g", { class: "way" + kind }, drawn("title", {}, events.join(", ")),
    drawn("path", { d: path, class: "arc" + kind, "marker-end": "url(#tip" + (taken ? "taken" : "") + ")" }),
    drawn("text", { x: text.x, y: text.y, "text-anchor": "middle", class: "label" }, label));
}

// ----- sources

function sourceSections(result) {
  const marks = new Map(result.marks.map(([line, sign, reason]) => [line, { sign, reason }]));
  const lines = data.files[result.source].text.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const why = element("p", { id: "why", class: "note", "aria-live": "polite" },
    marks.size > 0 ? "Grey lines do not matter to this question. Click at a line to see why it does." : "");
  const body = lines.map((text, index) => {
    const number = index + 1;
    const mark = marks.get(number) || { sign: " ", reason: "" };
    const asked = number >= result.line && number <= result.last;
    const kind = (mark.sign === "-" ? "gone" : "") + (asked ? " asked" : "");
    return element("div", { class: "line " + kind, click: () => { byId("why").textContent = whyOf(number, mark, asked); } },
      element("span", { class: "number" }, number), element("span", { class: "code" }, text === "" ? " " : text));
  });
  return [element("h3", {}, "Source"), element("p", { class: "path" }, data.files[result.source].path), why,
    element("div", { class: "source scroll", tabindex: 0 }, body)];
}

function whyOf(line, mark, asked) {
  if (asked) return "Line " + line + " is the question.";
  if (mark.sign === "-") return "Line " + line + " does not matter: nothing that the question needs depends on it.";
  if (mark.reason !== "") return "Line " + line + " is here: " + mark.reason;
  return mark.sign === "+" ? "Line " + line + " is a part of what the question needs." : "Line " + line + " declares nothing that could go.";
}

// ----- keys, themes, printing

function onKey(event) {
  if (event.target && ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && event.target.type !== "range") return;
  const shown = shownResults();
  const at = shown.indexOf(chosen.result);
  const keys = {
    ArrowDown: () => choose(shown[Math.min(shown.length - 1, at + 1)]),
    ArrowUp: () => choose(shown[Math.max(0, at - 1)]),
    j: () => choose(shown[Math.min(shown.length - 1, at + 1)]),
    k: () => choose(shown[Math.max(0, at - 1)]),
    ArrowRight: () => moveStep(1),
    ArrowLeft: () => moveStep(-1),
    Home: () => moveStep(-Infinity),
    End: () => moveStep(Infinity),
    "/": () => byId("filter").focus(),
  };
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function begin() {
  data.results.forEach((_, index) => byId("row" + index).addEventListener("click", () => choose(index)));
  byId("filter").addEventListener("input", applyFilter);
  byId("sign").addEventListener("input", applyFilter);
  byId("theme").addEventListener("click", switchTheme);
  document.addEventListener("keydown", onKey);
  applyFilter();
  const wanted = Number.parseInt(location.hash.slice(1), 10);
  const failing = data.results.findIndex((result) => result.sign === "bad" || result.sign === "open");
  choose(wanted >= 0 && wanted < data.results.length ? wanted : Math.max(0, failing));
}

begin();
