// The source: the counterexample step by step, or invariants, or what is covered.

const rows = new Map();
const MARKS = {
  counterexample: { yes: "›" },
  tests: { yes: "✓", part: "~", no: "✗" },
  explored: { yes: "✓", part: "…", no: " " },
  nothing: {},
};
const LEGENDS = {
  counterexample: "› marks lines that the counterexample executes.",
  tests: "✓ executed by some test, ~ executed but not every branch taken, ✗ executed by no test.",
  explored: "✓ passed by abstract states, … with states that wait to be explored; lines without a mark were not reached.",
  nothing: "",
};
let box = null;

function sourceView(panel) {
  const { source, trace } = data;
  if (data.no_trace) panel.append(el("p", { class: "note" }, "The steps of the counterexample cannot be shown: " + data.no_trace + "."));
  const lines = el("div", { class: "lines" });
  const marks = MARKS[source.marked];
  const above = new Map();
  for (const invariant of source.invariants) above.set(invariant.line, [...(above.get(invariant.line) || []), invariant]);
  source.lines.forEach((text, at) => {
    const number = at + 1;
    for (const invariant of above.get(number) || []) lines.append(invariantRow(invariant));
    const mark = source.marks[number];
    const shownMark = el("span", { class: "mark", "aria-hidden": "true" }, (mark && marks[mark]) || "");
    const kind = mark && !(source.marked === "explored" && mark === "no") ? " " + mark : "";
    const row = el("div", { class: "row" + kind, id: "L" + number }, el("span", { class: "number" }, String(number)), shownMark, el("span", { class: "text" }, text));
    rows.set(number, row);
    lines.append(row);
  });
  const about = "Source" + (LEGENDS[source.marked] ? ". " + LEGENDS[source.marked] : "");
  box = el("div", { class: "source" + (source.marked === "counterexample" ? " taken" : ""), tabindex: "0", role: "region", "aria-label": about }, lines);
  const left = el("div", {}, box, el("p", { class: "hint" }, LEGENDS[source.marked]));
  if (source.lines.length < source.total) left.append(el("p", { class: "note" }, "The first " + source.lines.length + " of " + source.total + " lines are shown."));
  const columns = el("div", { class: "columns" }, left);
  panel.append(columns);
  if (trace && trace.steps.length) {
    columns.classList.add("stepped");
    stepper(columns, panel);
  } else {
    columns.classList.add("one");
    aside(panel, columns);
  }
}

/** The text for a run without steps. */
function aside(panel, columns) {
  const invariants = data.source.invariants;
  let text = "";
  if (invariants.length) {
    text = counted(invariants.length, "loop invariant") + " in the source, proven by induction: each holds at every visit of its loop.";
  } else if (data.verdict === "TRUE") text = "No loop invariants are shown: the proof is that no abstract state, or no path, reaches the error.";
  else if (data.source.marked === "nothing") text = "No actor told what it has explored.";
  if (data.coverage) {
    const { branches } = data.coverage;
    const percent = branches.total ? (100 * branches.covered) / branches.total : 100;
    const inner = el("div", { class: "bar-inner" });
    inner.style.width = percent + "%";
    panel.insertBefore(el("div", { class: "bar-outer", role: "img", "aria-label": percent.toFixed(1) + " percent of the branches" }, inner), columns);
  }
  if (text) panel.insertBefore(el("p", { class: "hint" }, text), columns);
}

function invariantRow(invariant) {
  return el("div", { class: "row invariant" }, el("span", { class: "number" }, "⟲"), el("span", { class: "mark" }, ""),
    el("span", { class: "text" }, "loop invariant  " + invariant.expression), el("span", { class: "who" }, "proven"));
}

/** Scrolls the box, not the page, so that a line is in sight. */
function revealLine(line) {
  const row = rows.get(line);
  if (!row || !box) return;
  const at = row.offsetTop - box.clientTop;
  if (at < box.scrollTop + 40 || at > box.scrollTop + box.clientHeight - 60) box.scrollTop = at - box.clientHeight / 3;
  row.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const steps = data.trace ? data.trace.steps : [];
let current = 0;
/** The stack at every hundredth step: frames with the values of their variables. */
const kept = [];
const KEEP = 100;

function stateAt(index) {
  const start = Math.floor(index / KEEP);
  while (kept.length <= start) {
    const from = kept.length;
    let state = from === 0 ? [{ frame: 0, values: [] }] : copied(kept[from - 1]);
    for (let at = Math.max(0, (from - 1) * KEEP + (from === 0 ? 0 : 1)); at <= from * KEEP; at++) apply(state, steps[at]);
    kept.push(state);
  }
  const state = copied(kept[start]);
  for (let at = start * KEEP + 1; at <= index; at++) apply(state, steps[at]);
  return state;
}

const copied = (state) => state.map((frame) => ({ frame: frame.frame, values: frame.values.slice() }));

function apply(state, step) {
  for (let times = step.r || 0; times > 0 && state.length > 1; times--) state.pop();
  for (const frame of step.e || []) state.push({ frame, values: [] });
  for (const [frame, variable, value] of step.c || []) if (state[frame]) state[frame].values[variable] = value;
}

let chosenFrame = null;

function stepper(columns, panel) {
  const go = (to) => {
    current = Math.max(0, Math.min(steps.length - 1, to));
    chosenFrame = null;
    show();
  };
  const button = (sign, name, target) => el("button", { type: "button", "aria-label": name, title: name, onclick: () => go(target()) }, sign);
  const first = button("«", "First step", () => 0);
  const back = button("‹", "Previous step", () => current - 1);
  const next = button("›", "Next step", () => current + 1);
  const last = button("»", "Last step", () => steps.length - 1);
  const told = el("output", { id: "step", "aria-live": "polite" });
  const slider = el("input", { type: "range", id: "slider", min: "0", max: String(steps.length - 1), value: "0", "aria-label": "Step" });
  slider.addEventListener("input", () => go(Number(slider.value)));
  const happens = el("ul", { class: "happens", id: "happens" });
  const stack = el("ul", { class: "stack", id: "stack" });
  const values = el("div", { id: "values" });
  const side = el("div", { class: "state" }, el("h3", {}, "Call stack"), stack, values);
  columns.append(el("div", { class: "stepper" }, el("div", { class: "buttons" }, first, back, next, last, told), slider, happens), side);
  if (data.trace.inputs.length) {
    const inputs = data.trace.inputs.map((input) => el("li", {}, input.value + "  ← " + input.function + "(), line " + input.line));
    side.append(el("h3", {}, "Inputs of the test"), el("ol", { class: "inputs", tabindex: "0", "aria-label": "Inputs of the test" }, ...inputs));
  }
  panel.append(el("p", { class: "hint" }, "Keys: ← and → step, Home and End go to the ends, PageUp and PageDown take ten steps. Values are those before the line is executed."));
  const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 };
  document.addEventListener("keydown", (event) => {
    const inside = event.target === document.body || panel.contains(event.target);
    const own = event.target === slider || event.target === box && /Up|Down/.test(event.key);
    if (panel.hidden || !inside || own || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in move && !/Arrow(Up|Down)/.test(event.key)) go(current + move[event.key]);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(steps.length - 1);
    else return;
    event.preventDefault();
  });

  function show() {
    const step = steps[current];
    const isLast = current === steps.length - 1;
    for (const row of box.querySelectorAll(".here")) { row.classList.remove("here"); row.removeAttribute("aria-current"); }
    const row = rows.get(step.l);
    if (row) {
      row.classList.add("here");
      row.setAttribute("aria-current", "step");
      if (isLast) row.classList.add("error");
    }
    first.disabled = back.disabled = current === 0;
    next.disabled = last.disabled = isLast;
    slider.value = String(current);
    slider.setAttribute("aria-valuetext", "step " + (step.i + 1) + ", line " + step.l);
    told.textContent = "Step " + (step.i + 1) + " of " + data.trace.total + " · line " + step.l;
    happens.replaceChildren(...step.x.map((text) => el("li", {}, data.trace.texts[text])));
    const after = steps[current - 1];
    if (after && step.i > after.i + 1) happens.prepend(el("li", { class: "note" }, counted(step.i - after.i - 1, "step") + " before this one are left out."));
    if (isLast) happens.append(el("li", { class: "note" }, "Here the error is reached: " + data.trace.end + "."));
    showState(step, stateAt(current), stack, values, show);
    if (row) scrollBox(row);
    document.dispatchEvent(new Event("step"));
  }
  show();
}

function scrollBox(row) {
  const at = row.offsetTop;
  if (at < box.scrollTop + 30 || at > box.scrollTop + box.clientHeight - 50) box.scrollTop = Math.max(0, at - box.clientHeight / 3);
}

function showState(step, state, stack, values, again) {
  const top = state.length - 1;
  const shown = chosenFrame === null ? top : Math.min(chosenFrame, top);
  const entries = state.slice(1).map((entry, at) => {
    const press = () => { chosenFrame = at + 1; again(); };
    const name = data.trace.frames[entry.frame].function;
    return el("li", {}, el("button", { type: "button", "aria-pressed": String(at + 1 === shown), onclick: press }, name));
  });
  // Deep recursion: both ends are the most useful part.
  if (entries.length > 30) entries.splice(15, entries.length - 30, el("li", {}, "… " + (entries.length - 30) + " more …"));
  stack.replaceChildren(...entries);
  // At the first step everything is new, so that nothing is marked.
  const changes = step.i === 0 ? [] : step.c || [];
  const changed = new Set(changes.map(([frame, variable]) => frame + ":" + variable));
  const part = (at, title) => {
    const { variables } = data.trace.frames[state[at].frame];
    const list = variables.map((variable, slot) => {
      const value = state[at].values[slot];
      if (value === undefined) return null;
      const name = variable.name + (variable.line ? " (line " + variable.line + ")" : "");
      return el("tr", { class: changed.has(at + ":" + slot) ? "changed" : "" },
        el("td", {}, name, el("span", { class: "type" }, variable.type)), el("td", {}, value));
    }).filter((row) => row);
    if (!list.length) return [];
    const body = el("tbody", {}, ...list);
    const head = el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Variable"), el("th", { scope: "col" }, "Value")));
    return [el("h3", {}, title), el("table", { class: "values" }, head, body)];
  };
  const locals = shown > 0 ? part(shown, "Variables of " + data.trace.frames[state[shown].frame].function) : [];
  values.replaceChildren(...locals, ...part(0, "Global variables"));
}
