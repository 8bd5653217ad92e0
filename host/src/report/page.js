// The page's frame: data, elements made of text only, header, tabs, colours.

const data = JSON.parse(document.getElementById("data").textContent);

/** An element with properties and children. Texts become text nodes, so that data is never markup. */
function el(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") node.toggleAttribute(name, value);
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const byId = (id) => document.getElementById(id);
const counted = (count, what) => count + " " + what + (count === 1 ? "" : "s");
const seconds = (time) => (time < 10 ? time.toFixed(2) : time < 100 ? time.toFixed(1) : Math.round(time)) + " s";

/** The meaning of the verdict, in a sentence. */
function summary() {
  if (data.coverage) {
    const { branches, tests } = data.coverage;
    return counted(tests, "test") + " cover " + branches.covered + " of " + branches.total + " branches.";
  }
  if (data.verdict === "TRUE") return "Proved: no execution violates the property.";
  if (data.verdict === "FALSE") return "The property is violated: a test was executed that shows it.";
  return "Neither a proof nor a violation was found.";
}

function header() {
  const badge = byId("badge");
  badge.textContent = data.coverage ? "TESTS" : data.verdict;
  badge.classList.add(data.coverage ? "TESTS" : data.verdict);
  byId("summary").textContent = summary();
  if (data.reason) {
    byId("reason").hidden = false;
    byId("reason").textContent = data.reason;
  }
  for (const [name, value] of data.facts) byId("facts").append(el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  const rest = (kind, text) => byId("rests").append(el("p", { class: "rest " + kind }, text));
  const about = data.verdict === "TRUE" ? "The proof relies on a convention: " : "By convention: ";
  for (const text of data.rests.conventions) rest("convention", about + text);
  for (const text of data.rests.claims) rest("unsound", "Claimed, not checked: " + text);
  for (const text of data.rests.unsound) rest("unsound", "Not sound: " + text);
}

/** Colours: as the system says, until the reader chooses. */
function themes() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = byId("theme");
  const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const show = () => {
    button.textContent = isDark() ? "Light colours" : "Dark colours";
    document.dispatchEvent(new Event("colours"));
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  dark.addEventListener("change", show);
  show();
}

const tabs = [];

/** A part of the page; `fill` puts its content there when it is first shown. */
function tab(id, name, fill, shown) {
  const button = el("button", { type: "button", role: "tab", id: "tab-" + id, "aria-controls": "panel-" + id, tabindex: "-1" }, name);
  const panel = el("section", { role: "tabpanel", id: "panel-" + id, "aria-labelledby": "tab-" + id, hidden: true });
  const entry = { id, button, panel, fill, shown };
  button.addEventListener("click", () => select(entry));
  button.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(entry);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const chosen = tabs[(next + tabs.length) % tabs.length];
    select(chosen);
    chosen.button.focus();
  });
  tabs.push(entry);
  byId("tabs").append(button);
  byId("panels").append(panel);
}

function select(chosen) {
  for (const entry of tabs) {
    const isChosen = entry === chosen;
    entry.button.setAttribute("aria-selected", String(isChosen));
    entry.button.tabIndex = isChosen ? 0 : -1;
    entry.panel.hidden = !isChosen;
  }
  if (chosen.fill) {
    const fill = chosen.fill;
    chosen.fill = null;
    fill(chosen.panel);
  }
  if (chosen.shown) chosen.shown();
}

/** Shows the source with a line in sight. */
function showLine(line) {
  select(tabs[0]);
  revealLine(line);
}

function table(names, rows, className) {
  const head = el("tr", {}, ...names.map((name) => el("th", { scope: "col" }, name)));
  const body = rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell))));
  return el("div", { class: "scroll" }, el("table", { class: className || "" }, el("thead", {}, head), el("tbody", {}, ...body)));
}
