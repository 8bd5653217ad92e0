// Which actor worked when, what was passed on, and numbers; then the page is put together.

function cooperation(panel) {
  if (!data.works.length) {
    panel.append(el("p", { class: "note" }, "No actor has begun to work."));
    return;
  }
  const names = [...new Set(data.works.map((work) => work.actor))];
  const whole = Math.max(data.elapsed, ...data.works.map((work) => work.end || 0), 0.001);
  const at = (time) => (100 * time) / whole + "%";
  const lanes = el("div", { class: "lanes", role: "group", "aria-label": "Actors over time" });
  for (const name of names) {
    const works = data.works.filter((work) => work.actor === name);
    const lane = el("div", { class: "lane" });
    for (const work of works) {
      const end = work.end === null ? whole : work.end;
      const text = name + ", " + seconds(work.start) + " to " + (work.end === null ? "the end, without a result" : seconds(end)) + ": " + (work.result || "no result");
      const bar = el("div", { class: "work " + work.result.split(" ")[0].replace(/[^A-Z]/g, ""), role: "img", "aria-label": text, title: text });
      bar.style.left = at(work.start);
      bar.style.width = at(Math.max(0, end - work.start));
      lane.append(bar);
    }
    data.passes.forEach((pass, number) => {
      const involved = pass.from.split("+").includes(name) || pass.to.split("+").includes(name);
      if (!involved) return;
      const text = passText(pass, number);
      const dot = el("button", { type: "button", class: "passed", "aria-label": text, title: text, onclick: () => openPass(number) }, String(number + 1));
      dot.style.left = at(pass.at);
      lane.append(dot);
    });
    lanes.append(el("div", { class: "lane-name" }, name, el("small", {}, works[0].plugins)), lane);
  }
  const axis = el("div", { class: "axis", "aria-hidden": "true" });
  for (let tick = 0; tick <= 4; tick++) {
    const mark = el("span", {}, seconds((whole * tick) / 4));
    mark.style.left = at((whole * tick) / 4);
    axis.append(mark);
  }
  lanes.append(el("div", { class: "lane-name" }), axis);
  panel.append(el("h2", {}, "Actors over time"), lanes, el("h2", {}, "Results"));
  panel.append(table(["Actor", "From", "To", "Result"], data.works.map((work) => [
    work.actor + (work.residual ? " (residual program)" : ""), seconds(work.start), work.end === null ? "–" : seconds(work.end), work.result || "none",
  ])));
  panel.append(el("h2", {}, "Results passed on"));
  if (!data.passes.length) panel.append(el("p", { class: "note" }, "Nothing: the actors worked alone."));
  data.passes.forEach((pass, number) => {
    const inner = el("details", { id: "pass-" + number }, el("summary", {}, passText(pass, number)));
    inner.addEventListener("toggle", () => {
      if (!inner.open || inner.dataset.filled) return;
      inner.dataset.filled = "yes";
      if (pass.gia) inner.append(new GraphView(pass.gia, { small: true }).element);
      else inner.append(el("p", { class: "note" }, /GIA/.test(pass.what.join()) ? "It is too large to be drawn, or speaks of a residual program." : "There is nothing to draw."));
    });
    panel.append(inner);
  });
}

function passText(pass, number) {
  const what = pass.what.length ? pass.what.join(", ") : "nothing new";
  const way = pass.to ? pass.from + " → " + pass.to : pass.from ? pass.from + " → all at work" : "the result of the run";
  return number + 1 + ". " + way + " after " + seconds(pass.at) + ": " + what;
}

function openPass(number) {
  const inner = byId("pass-" + number);
  inner.open = true;
  inner.querySelector("summary").focus();
}

function statistics(panel) {
  panel.append(el("h2", {}, "The run"), table(["What", "Value"], data.facts));
  if (data.statistics.length) panel.append(el("h2", {}, "Statistics of the actors"), table(["What", "Value"], data.statistics));
  for (const work of data.works.filter((work) => work.statistics.length)) {
    const inner = el("details", {}, el("summary", {}, work.actor + ", " + work.plugins), table(["What", "Value"], work.statistics));
    panel.append(inner);
  }
}

header();
themes();
const sourceName = data.trace ? "Counterexample" : data.source.invariants.length ? "Proof" : data.coverage ? "Coverage" : "Source";
tab("source", sourceName, sourceView);
let flow = null;
const here = () => {
  if (!data.trace || !steps.length) return null;
  const state = stateAt(current);
  return { function: data.trace.frames[state[state.length - 1].frame].function, location: steps[current].g };
};
tab("control-flow", "Control flow", (panel) => { flow = graphs(panel, data.control_flow, "Function", here); }, () => {
  const now = here();
  if (data.control_flow.length) flow(now ? now.function : undefined);
});
if (data.reached.length) {
  let reached = null;
  tab("reached", "Reachability graph", (panel) => { reached = graphs(panel, data.reached, "Actor"); reached(); });
}
tab("cooperation", "Cooperation", cooperation);
tab("statistics", "Statistics", statistics);
// A link may name a part.
const wanted = () => tabs.find((entry) => "#" + entry.id === location.hash);
select(wanted() || tabs[0]);
addEventListener("hashchange", () => { if (wanted()) select(wanted()); });
