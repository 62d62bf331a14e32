// SPDX-License-Identifier: Apache-2.0
// The report in a browser. All data is in the element #data; it reaches the page as text only
// (textContent, attributes), never as markup.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const svgSpace = "http://www.w3.org/2000/svg";
const chosen = { result: -1, step: 0, machine: 0, grey: true };

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
  let heading = null;
  data.results.forEach((result, index) => {
    const text = (result.file + " " + result.name + " " + result.short).toLowerCase();
    const fits = words.every((word) => text.includes(word)) &&
      (sign === "" || result.sign === sign || (sign === "look" && result.sign !== "good" && result.sign !== "answer"));
    byId("row" + index).hidden = !fits;
    if (byId("file" + index) !== null) {
      heading = byId("file" + index);
      heading.hidden = true;
    }
    if (fits) ++count;
    if (fits && heading !== null) heading.hidden = false;
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
  details.replaceChildren(...sections(data.results[index]).filter((section) => section !== null));
  setGrey(chosen.grey);
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
  list.push(facts(result), greySwitch(result));
  if (result.parts.length > 0) list.push(partsOf(result));
  if (result.trace !== null) list.push(...traceSections(result));
  if (result.invariant.length > 0) list.push(...invariantSections(result));
  if (result.trace === null && drawable(result).length > 0)
    list.push(element("h3", {}, "States"), element("div", { id: "diagram", class: "scroll" }));
  if (result.source !== null) list.push(...sourceSections(result));
  return list;
}

// What is always true, by location where the proof distinguishes them.
function invariantSections(result) {
  const rows = result.invariant.map(([place, parts]) => [
    element("dt", {}, place === "" ? "everywhere" : element("code", {}, place)),
    element("dd", {}, parts.map((part) => element("div", {}, element("code", {}, part))))]);
  const alone = result.invariant.length === 1 && result.invariant[0][0] === "";
  return [element("h3", {}, "Invariant"),
    element("p", {}, "True in every reachable state, and enough to prove the verdict:"),
    alone ? element("div", { class: "invariant" }, result.invariant[0][1].map((part) => element("div", {}, element("code", {}, part))))
      : element("dl", { class: "invariant" }, rows.flat())];
}

// Whether there is anything grey, and the switch for it.
function hasGrey(result) {
  return result.gone !== null || result.marks.some(([, sign]) => sign === "-");
}

function greySwitch(result) {
  if (!hasGrey(result)) return null;
  const box = element("input", { type: "checkbox", id: "grey", checked: chosen.grey });
  box.addEventListener("change", () => { setGrey(box.checked); });
  return element("p", {}, element("label", {}, box, " grey what this question does not need (g)"));
}

function setGrey(grey) {
  chosen.grey = grey;
  if (byId("grey") !== null) byId("grey").checked = grey;
  byId("details").className = grey ? "" : "ungrey";
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
  const who = (event) => (trace.instances.length > 1 && event.instance !== "" ? event.instance + "." : "");
  return taken.events.filter((event) => event.depth === 0).map((event) => who(event) + callOf(event)).join("; ") + times;
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
      element("button", { type: "button", click: move(-Infinity), title: "first (Home)" }, "«"),
      element("button", { type: "button", click: move(-1), title: "back (←)" }, "‹"),
      slider,
      element("button", { type: "button", click: move(1), title: "on (→)" }, "›"),
      element("button", { type: "button", click: move(Infinity), title: "last (End)" }, "»")),
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

function stepTable(trace, onPaper) {
  const body = [];
  for (let step = 0; step <= trace.steps.length; ++step) {
    const changes = step === 0 ? trace.initial : trace.steps[step - 1].changes;
    const goThere = () => { chosen.step = step; byId("slider").value = String(step); showStep(); };
    body.push(element("tr", onPaper ? {} : { id: "step" + step, click: goThere },
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
  if (!result) return;
  if (byId("diagram") !== null && drawable(result).length > 0) {
    byId("diagram").replaceChildren(...diagrams(result, chosen.step));
    bringIntoView(byId("diagram"));
  }
  if (result.trace === null) return;
  const trace = result.trace;
  byId("step").textContent = "Step " + numberOf(trace, chosen.step) + ": " + titleOf(trace, chosen.step);
  byId("state").replaceChildren(stateTable(trace));
  byId("lanes").replaceChildren(lanes(trace));
  for (let step = 0; step <= trace.steps.length; ++step) byId("step" + step).className = step === chosen.step ? "now" : "";
}

function stateTable(trace) {
  const now = stateAfter(trace, chosen.step);
  const before = chosen.step > 0 ? stateAfter(trace, chosen.step - 1) : now;
  const single = trace.instances.length === 1;
  const body = [];
  let last = null;
  for (const [key, value] of now) {
    const [instance, name] = key.split("\n");
    const old = before.get(key);
    const changed = old !== value;
    body.push(element("tr", { class: changed ? "changed" : "" }, single ? null : element("td", {}, instance === last ? "" : instance),
      element("td", {}, name === "" ? "at" : name), element("td", {}, value),
      element("td", { class: "old" }, changed && old !== undefined ? old : "")));
    last = instance;
  }
  const names = single ? ["what", "now", "before"] : ["who", "what", "now", "before"];
  return element("table", {}, element("thead", {}, element("tr", {}, names.map((name) => element("th", {}, name)))),
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

const mostPlaces = 80;
const longestRow = 6;

// Who has states to draw: the instances of a run, else the machines themselves.
function drawable(result) {
  const model = data.models[result.model];
  const all = result.trace !== null ? result.trace.instances : model.map(({ name }, machine) => ({ name, machine }));
  return all.filter(({ machine }) => machine >= 0 && model[machine].locations.length > 1);
}

function diagrams(result, step) {
  const usable = drawable(result);
  if (usable.length === 0) return [];
  const at = Math.min(chosen.machine, usable.length - 1);
  const parts = [];
  if (usable.length > 1) {
    parts.push(element("div", { class: "tabs", role: "tablist" }, usable.map(({ name }, index) =>
      element("button", { type: "button", role: "tab", "aria-selected": index === at ? "true" : "false",
        click: () => { chosen.machine = index; showStep(); } }, name))));
  }
  const { name, machine } = usable[at];
  const model = data.models[result.model][machine];
  if (model.locations.length > mostPlaces) parts.push(element("p", { class: "note" }, model.locations.length + " places are too many for a drawing."));
  else parts.push(drawing(model, result.trace === null ? noWay() : wayOf(result.trace, name, step), goneOf(result, machine)));
  return parts;
}

function noWay() {
  return { places: new Set(), arcs: new Map(), now: undefined };
}

// What the question does not need: places and arcs of the machine, by their numbers.
function goneOf(result, machine) {
  const gone = result.gone === null ? [[], []] : result.gone[machine];
  return { places: new Set(gone[0]), arcs: new Set(gone[1]) };
}

// The places of an instance up to the step, and between them the events.
function wayOf(trace, name, last) {
  const way = noWay();
  let place;
  const move = ([instance, what, value]) => { if (instance === name && what === "") place = value; };
  trace.initial.forEach(move);
  for (let step = 0; step <= last; ++step) {
    const from = place;
    const events = step > 0 ? trace.steps[step - 1].events.filter((event) => event.instance === name) : [];
    if (step > 0) trace.steps[step - 1].changes.forEach(move);
    if (events.length > 0 && from !== undefined) {
      const key = from + "\n" + place;
      if (!way.arcs.has(key)) way.arcs.set(key, new Set());
      events.forEach(({ event }) => way.arcs.get(key).add(event));
    }
    way.places.add(place);
  }
  way.now = place;
  return way;
}

// Levels by the distance from the start: columns, or rows where there are many of them.
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
  const levels = [];
  level.forEach((depth, place) => {
    const at = depth < 0 ? 0 : depth;
    (levels[at] = levels[at] || []).push(place);
  });
  const widest = Math.max(...machine.locations.map(({ name }) => Math.min(name.length, 24)));
  const width = Math.min(190, Math.max(70, widest * 7.5 + 24));
  const height = 34;
  const most = Math.max(...levels.map((places) => (places || []).length));
  const down = levels.length > longestRow;
  const places = [];
  levels.forEach((list, depth) => (list || []).forEach((place, index) => {
    const beside = index + (most - list.length) / 2;
    places[place] = down ? { level: depth, x: 60 + beside * (width + 120), y: 30 + depth * 74 } : { level: depth, x: 90 + depth * (width + 120), y: 54 + beside * 96 };
  }));
  const all = down ? { x: 120 + most * (width + 120), y: 40 + levels.length * 74 } : { x: 90 + levels.length * (width + 120), y: 44 + most * 96 };
  return { places, width, height, down, all };
}

function drawing(machine, way, gone) {
  const plan = layout(machine);
  const { places, width, height, down, all } = plan;
  const picture = drawn("svg", { viewBox: "0 0 " + all.x + " " + all.y, class: "machine", role: "img",
    "aria-label": "states of " + machine.name, width: all.x, height: all.y });
  picture.appendChild(drawn("defs", {}, ["", "taken"].map((kind) => drawn("marker", { id: "tip" + kind, viewBox: "0 0 8 8", refX: 8, refY: 4,
    markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" }, drawn("path", { d: "M0 0 L8 4 L0 8 z", class: "tip " + kind })))));
  const together = new Map();
  machine.arcs.forEach(([from, to, event], index) => {
    const key = from + " " + to;
    const taken = (way.arcs.get(machine.locations[from].name + "\n" + machine.locations[to].name) || new Set()).has(event);
    if (!together.has(key)) together.set(key, { from, to, events: [] });
    together.get(key).events.push({ event, taken, gone: gone.arcs.has(index) });
  });
  for (const bundle of together.values()) picture.appendChild(arc(plan, bundle, together.has(bundle.to + " " + bundle.from)));
  machine.locations.forEach((location, index) => {
    const { x, y } = places[index];
    const kind = (way.now === location.name ? " here" : way.places.has(location.name) ? " seen" : "") +
      (location.error ? " error" : "") + (machine.starts.includes(index) ? " first" : "") + (gone.places.has(index) ? " gone" : "");
    const start = machine.starts.includes(index);
    const entry = down ? "M" + (x + width / 2) + " " + (y - 22) + " v22" : "M" + (x - 24) + " " + (y + height / 2) + " h24";
    picture.appendChild(drawn("g", { class: "place" + kind }, drawn("title", {}, location.name),
      start ? drawn("path", { d: entry, "marker-end": "url(#tip)", class: "arc" }) : null,
      location.final ? drawn("rect", { x: x - 4, y: y - 4, width: width + 8, height: height + 8, rx: 12 }) : null,
      drawn("rect", { x, y, width, height, rx: 9 }),
      drawn("text", { x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle" }, shortened(location.name, 24))));
  });
  return picture;
}

function bringIntoView(area) {
  if (area.querySelector === undefined) return;
  const here = area.querySelector(".here rect") || area.querySelector(".first rect");
  if (here === null) return;
  const inside = here.getBoundingClientRect();
  const frame = area.getBoundingClientRect();
  if (inside.bottom > frame.bottom || inside.top < frame.top) area.scrollTop += inside.top - frame.top - frame.height / 2;
  if (inside.right > frame.right || inside.left < frame.left) area.scrollLeft += inside.left - frame.left - frame.width / 2;
}

function shortened(text, length) {
  return text.length > length ? text.slice(0, length - 1) + "…" : text;
}

// A curve from one place to another as four points, and where on it the names stand.
function curve({ places, width, height, down }, from, to, both) {
  const a = places[from];
  const b = places[to];
  const w = width / 2;
  const h = height / 2;
  if (from === to && down) return { points: [[a.x + width, a.y + 8], [a.x + width + 40, a.y - 6], [a.x + width + 40, a.y + height + 6], [a.x + width, a.y + height - 8]], at: 0.5, side: "start" };
  if (from === to) return { points: [[a.x + w - 14, a.y], [a.x + w - 38, a.y - 36], [a.x + w + 38, a.y - 36], [a.x + w + 14, a.y]], at: 0.5, side: "middle" };
  if (down) {
    if (b.level > a.level) {
      const bow = b.level > a.level + 1 ? -w - 34 : 0;
      const reach = Math.max(30, (b.y - a.y) / 3);
      return { points: [[a.x + w, a.y + height], [a.x + w + bow, a.y + height + reach], [b.x + w + bow, b.y - reach], [b.x + w, b.y]], at: 0.35, side: bow === 0 ? "start" : "end" };
    }
    const reach = 50 + (a.level - b.level) * 12;
    return { points: [[a.x + width, a.y + h], [a.x + width + reach, a.y + h], [b.x + width + reach, b.y + h], [b.x + width, b.y + h]], at: 0.35, side: "start" };
  }
  if (b.level > a.level) {
    const lift = both ? -18 : b.level > a.level + 1 && a.y === b.y ? -70 : 0;
    const middle = (a.x + width + b.x) / 2;
    return { points: [[a.x + width, a.y + h + Math.max(lift / 2, -10)], [middle, a.y + h + lift], [middle, b.y + h + lift], [b.x, b.y + h + Math.max(lift / 2, -10)]], at: 0.5, side: "middle" };
  }
  if (a.level === b.level) {
    const below = b.y > a.y;
    const x = a.x + w + (below ? 14 : -14);
    const bow = Math.abs(a.y - b.y) > 100 ? (below ? width : -width) : 0;
    return { points: [[x, below ? a.y + height : a.y], [x + bow, (a.y + b.y) / 2 + h], [x + bow, (a.y + b.y) / 2 + h], [x, below ? b.y : b.y + height]], at: 0.5, side: below ? "start" : "end" };
  }
  const low = Math.max(a.y, b.y) + height + 40;
  return { points: [[a.x + w - 10, a.y + height], [a.x + w - 40, low], [b.x + w + 40, low], [b.x + w + 10, b.y + height]], at: 0.3, side: "middle" };
}

function pointAt([p, q, r, s], t) {
  const mix = (i) => (1 - t) ** 3 * p[i] + 3 * (1 - t) ** 2 * t * q[i] + 3 * (1 - t) * t * t * r[i] + t ** 3 * s[i];
  return [mix(0), mix(1)];
}

function arc(plan, { from, to, events }, both) {
  const { points, at, side } = curve(plan, from, to, both);
  const taken = events.some((one) => one.taken) ? " taken" : "";
  const gone = events.every((one) => one.gone) ? " gone" : "";
  const [x, y] = pointAt(points, at);
  const names = [];
  let room = 30;
  for (const one of events.slice().sort((a, b) => Number(b.taken) - Number(a.taken) || Number(a.gone) - Number(b.gone))) {
    if (room <= 0) break;
    const name = shortened(one.event, Math.max(room, 6));
    room -= name.length + 2;
    names.push(names.length > 0 ? ", " : "", drawn("tspan", { class: (one.taken ? "taken" : "") + (one.gone ? " gone" : "") }, name));
  }
  if (names.length / 2 < events.length) names.push(", …");
  const [p, q, r, s] = points;
  return drawn("g", { class: "way" + taken + gone }, drawn("title", {}, events.map(({ event }) => event).join(", ")),
    drawn("path", { d: "M" + p.join(" ") + " C" + q.join(" ") + " " + r.join(" ") + " " + s.join(" "), class: "arc" + taken, "marker-end": "url(#tip" + (taken ? "taken" : "") + ")" }),
    drawn("text", { x: x + (side === "start" ? 5 : side === "end" ? -5 : 0), y: y + (side === "middle" ? -5 : 4), "text-anchor": side, class: "label" }, names));
}

// ----- sources

function sourceSections(result) {
  const marks = new Map(result.marks.map(([line, sign, reason]) => [line, { sign, reason }]));
  const lines = data.files[result.source].text.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const why = element("p", { id: "why", class: "note", "aria-live": "polite" },
    marks.size > 0 ? "Grey lines do not matter to this question. Click at a line to see why it is here." : "");
  return [element("h3", {}, "Source"), element("p", { class: "path" }, data.files[result.source].path), why,
    element("div", { class: "source scroll", tabindex: 0 }, sourceLines(result, lines, marks))];
}

function sourceLines(result, lines, marks) {
  return lines.map((text, index) => {
    const number = index + 1;
    const mark = marks.get(number) || { sign: " ", reason: "" };
    const asked = number >= result.line && number <= result.last;
    const kind = (mark.sign === "-" ? "gone" : "") + (asked ? " asked" : "");
    return element("div", { class: "line " + kind, click: () => { byId("why").textContent = whyOf(number, mark, asked); } },
      element("span", { class: "number" }, number), element("span", { class: "code" }, text === "" ? " " : text));
  });
}

function whyOf(line, mark, asked) {
  if (asked) return "Line " + line + " is the question.";
  if (mark.sign === "-") return "Line " + line + " does not matter: nothing that the question needs depends on it.";
  if (mark.reason !== "") return "Line " + line + " is here: " + mark.reason;
  return mark.sign === "+" ? "Line " + line + " is a part of what the question needs." : "Line " + line + " declares nothing that could go.";
}

// ----- paper: the table, and the details of what is not met, undecided or chosen

const mostOnPaper = 30;

function paperSections(result) {
  const list = sections(result).slice(0, 2);
  if (result.text !== null) list.push(element("pre", { class: "question" }, result.text));
  list.push(facts(result));
  if (result.parts.length > 0) list.push(partsOf(result));
  if (result.trace !== null) list.push(element("h3", {}, "Step by step"), stepTable(result.trace, true));
  if (result.invariant.length > 0) list.push(...invariantSections(result));
  if (drawable(result).length === 1) list.push(element("h3", {}, "States"), ...diagrams(result, result.trace === null ? 0 : result.trace.steps.length));
  return element("article", {}, list);
}

function beforePrint() {
  const wanted = shownResults().filter((index) => ["bad", "open"].includes(data.results[index].sign) || index === chosen.result);
  byId("paper").replaceChildren(...wanted.slice(0, mostOnPaper).map((index) => paperSections(data.results[index])));
}

// ----- keys, themes

function onKey(event) {
  if (event.target && ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && !["range", "checkbox"].includes(event.target.type)) return;
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
    g: () => setGrey(!chosen.grey),
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
  window.addEventListener("beforeprint", beforePrint);
  window.addEventListener("afterprint", () => byId("paper").replaceChildren());
  applyFilter();
  const wanted = Number.parseInt(location.hash.slice(1), 10);
  const failing = data.results.findIndex((result) => result.sign === "bad" || result.sign === "open");
  choose(wanted >= 0 && wanted < data.results.length ? wanted : Math.max(0, failing));
}

begin();
