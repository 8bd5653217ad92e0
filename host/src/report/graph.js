// Graphs on a canvas: only what is in sight is drawn, so that ten thousand nodes can be moved about.

const NODE_HEIGHT = 24;
const LEGEND_NAMES = { taken: "taken by the counterexample", target: "the error", waiting: "not explored yet", covered: "covered by another state", cut: "left out", ut: "ut: cannot reach the error", rt: "rt: reaches the error", cand: "candidate" };

class GraphView {
  constructor(graph, options) {
    this.graph = graph;
    this.options = options || {};
    this.selected = -1;
    this.canvas = el("canvas", { tabindex: "0", role: "img", "aria-label": this.description() });
    this.told = el("p", { class: "told", "aria-live": "polite" }, this.hint());
    this.element = el("div", {}, this.tools(), el("div", { class: "canvas" + (this.options.small ? " small" : "") }, this.canvas), this.told, this.legend());
    if (graph.note) this.element.prepend(el("p", { class: "note" }, graph.note));
    this.view = null;
    this.byNumber = new Map(graph.nodes.map((node, at) => [node.n, at]));
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    document.addEventListener("colours", () => this.draw());
  }

  description() {
    const { name, nodes, edges } = this.graph;
    return "Graph of " + name + ": " + counted(nodes.length, "node") + ", " + counted(edges.length, "edge") + ". Arrow keys move, plus and minus zoom, 0 shows all, N and P go from node to node.";
  }

  hint() {
    return counted(this.graph.nodes.length, "node") + ", " + counted(this.graph.edges.length, "edge") + ". Drag to move, scroll to zoom, click a node for its text.";
  }

  tools() {
    const button = (sign, name, act) => el("button", { type: "button", "aria-label": name, title: name, onclick: act }, sign);
    return el("div", { class: "graph-tools" }, ...(this.options.tools || []),
      button("+", "Zoom in", () => this.zoom(1.4)), button("−", "Zoom out", () => this.zoom(1 / 1.4)), button("Fit", "Show all", () => this.fit()));
  }

  legend() {
    const kinds = Object.keys(LEGEND_NAMES).filter((kind) => this.graph.nodes.some((node) => node.k === kind));
    return el("ul", { class: "legend" }, ...kinds.map((kind) => el("li", {}, el("i", { class: "k-" + kind }), LEGEND_NAMES[kind])));
  }

  size() {
    return [this.canvas.clientWidth, this.canvas.clientHeight];
  }

  fit() {
    const [width, height] = this.size();
    const scale = Math.min(1, width / this.graph.width, height / (this.graph.height + 20));
    this.view = { scale, x: (width - this.graph.width * scale) / 2, y: 10 * scale };
    this.draw();
  }

  /** Readable from the first node on. */
  start() {
    const [width] = this.size();
    const node = this.graph.nodes[0];
    const scale = Math.min(1, Math.max(0.75, width / this.graph.width));
    this.view = { scale, x: width / 2 - (node ? node.x : 0) * scale, y: 10 };
    if (this.graph.width * scale <= width) this.view.x = (width - this.graph.width * scale) / 2;
  }

  zoom(factor, x, y) {
    const [width, height] = this.size();
    const at = [x === undefined ? width / 2 : x, y === undefined ? height / 2 : y];
    const scale = Math.max(0.005, Math.min(4, this.view.scale * factor));
    const real = scale / this.view.scale;
    this.view = { scale, x: at[0] - (at[0] - this.view.x) * real, y: at[1] - (at[1] - this.view.y) * real };
    this.draw();
  }

  pan(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.draw();
  }

  /** Chooses a node and, if it is not in sight, puts it into the middle. */
  choose(at, centre) {
    const node = this.graph.nodes[at];
    if (!node) return;
    this.selected = at;
    if (centre) {
      const [width, height] = this.size();
      if (!this.view) this.start();
      this.view.scale = Math.max(this.view.scale, 0.6);
      const { scale, x, y } = this.view;
      const inSight = (at, size) => at > 60 && at < size - 60;
      if (!inSight(node.x * scale + x, width)) this.view.x = width / 2 - node.x * scale;
      if (node.y * scale + y < 10 || node.y * scale + y > height - 60) this.view.y = height / 2 - node.y * scale;
    }
    const what = node.k && LEGEND_NAMES[node.k] ? " (" + LEGEND_NAMES[node.k] + ")" : "";
    this.told.replaceChildren(node.t + what + " ");
    if (node.l) this.told.append(el("button", { type: "button", onclick: () => showLine(node.l) }, "Show line " + node.l));
    this.draw();
  }

  listen() {
    const canvas = this.canvas;
    const fingers = new Map();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); moved = 0; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const [dx, dy] = [event.offsetX - before.offsetX, event.offsetY - before.offsetY];
      moved += Math.abs(dx) + Math.abs(dy);
      if (fingers.size === 2) {
        const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
        const distance = (finger) => Math.hypot(finger.offsetX - other.offsetX, finger.offsetY - other.offsetY) || 1;
        this.zoom(distance(event) / distance(before), other.offsetX, other.offsetY);
      } else this.pan(dx, dy);
      fingers.set(event.pointerId, event);
    });
    const end = (event) => {
      if (fingers.delete(event.pointerId) && event.type === "pointerup" && moved < 5) this.click(event);
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const pans = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    const count = this.graph.nodes.length;
    if (pans[event.key]) this.pan(...pans[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.fit();
    else if (event.key === "n") this.choose((this.selected + 1) % count, true);
    else if (event.key === "p") this.choose((this.selected - 1 + count) % count, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  click(event) {
    const [x, y] = [(event.offsetX - this.view.x) / this.view.scale, (event.offsetY - this.view.y) / this.view.scale];
    const near = this.graph.nodes.findIndex((node) => Math.abs(node.x - x) <= node.w / 2 && Math.abs(node.y - y) <= NODE_HEIGHT / 2 + 2);
    if (near >= 0) this.choose(near, false);
  }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.paint(); });
  }

  paint() {
    const [width, height] = this.size();
    if (!width || !height) return;
    if (!this.view) {
      this.start();
      if (this.graph.height <= height && this.graph.width <= width) this.fit();
    }
    const ratio = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const context = this.canvas.getContext("2d");
    const { scale, x, y } = this.view;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
    const sight = { left: -x / scale, top: -y / scale, right: (width - x) / scale, bottom: (height - y) / scale };
    const style = getComputedStyle(this.canvas);
    // A custom property is the text of its value; the browser works it out for a property that it knows.
    const colour = (name) => { this.canvas.style.color = "var(--" + name + ")"; return style.color; };
    const names = ["text", "soft", "page", "line", "accent", "here", "no", "no-text", "part", "part-text", "yes", "yes-text"];
    const colours = Object.fromEntries(names.map((name) => [name, colour(name)]));
    this.paintEdges(context, sight, colours, scale);
    this.paintNodes(context, sight, colours, scale);
  }

  points(edge) {
    const [from, to] = [this.graph.nodes[edge.a], this.graph.nodes[edge.b]];
    const half = NODE_HEIGHT / 2;
    if (from === to) {
      const right = from.x + from.w / 2;
      return [[right, from.y - 6], [right + 18, from.y - 10], [right + 18, from.y + 10], [right, from.y + 6]];
    }
    const bends = edge.p || [];
    if (to.y > from.y) return [[from.x, from.y + half], ...bends, [to.x, to.y - half]];
    return [[from.x + from.w / 2, from.y], ...bends, [to.x + to.w / 2, to.y]];
  }

  paintEdges(context, sight, colours, scale) {
    const strokes = { "": [colours.soft, 1, []], taken: [colours.accent, 2.5, []], cover: [colours.soft, 1, [4, 4]] };
    for (const kind of Object.keys(strokes)) {
      const [stroke, width, dash] = strokes[kind];
      context.strokeStyle = context.fillStyle = stroke;
      context.lineWidth = Math.max(width, 0.6 / scale);
      context.setLineDash(dash);
      context.beginPath();
      const labelled = [];
      for (const edge of this.graph.edges) {
        if ((edge.k || "") !== kind) continue;
        const points = this.points(edge);
        const [xs, ys] = [points.map((point) => point[0]), points.map((point) => point[1])];
        if (Math.max(...xs) < sight.left || Math.min(...xs) > sight.right || Math.max(...ys) < sight.top || Math.min(...ys) > sight.bottom) continue;
        context.moveTo(...points[0]);
        for (const point of points.slice(1)) context.lineTo(...point);
        if (scale > 0.3) labelled.push([edge, points]);
      }
      context.stroke();
      context.setLineDash([]);
      for (const [edge, points] of labelled) this.paintEnd(context, edge, points, colours);
    }
  }

  /** The arrow's head and the label. */
  paintEnd(context, edge, points, colours) {
    const [[fromX, fromY], [x, y]] = points.slice(-2);
    const angle = Math.atan2(y - fromY, x - fromX);
    context.beginPath();
    context.moveTo(x, y);
    for (const turn of [0.4, -0.4]) context.lineTo(x - 8 * Math.cos(angle + turn), y - 8 * Math.sin(angle + turn));
    context.closePath();
    context.fill();
    if (!edge.t) return;
    const [[aX, aY], [bX, bY]] = points;
    const at = edge.t.length > 2 ? 0.5 : 0.35;
    const saved = context.fillStyle;
    context.font = "11px ui-monospace, monospace";
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = colours.text;
    context.fillText(edge.t, aX + (bX - aX) * at + 5, aY + (bY - aY) * at);
    context.fillStyle = saved;
  }

  paintNodes(context, sight, colours, scale) {
    const half = NODE_HEIGHT / 2;
    const looks = {
      "": [colours.page, colours.soft], entry: [colours.page, colours.text], taken: [colours.here, colours.accent],
      target: [colours.no, colours["no-text"]], waiting: [colours.part, colours["part-text"]], cand: [colours.part, colours["part-text"]],
      covered: [colours.page, colours.soft], cut: [colours.no, colours["no-text"]], ut: [colours.yes, colours["yes-text"]], rt: [colours.here, colours.accent],
    };
    context.font = "12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.graph.nodes.forEach((node, at) => {
      if (node.x + node.w / 2 < sight.left || node.x - node.w / 2 > sight.right || node.y + half < sight.top || node.y - half > sight.bottom) return;
      const [fill, stroke] = looks[node.k || ""] || looks[""];
      context.fillStyle = fill;
      context.strokeStyle = stroke;
      context.lineWidth = Math.max(node.k === "entry" ? 2 : 1, 0.6 / scale);
      context.setLineDash(node.k === "covered" || node.k === "cut" ? [4, 3] : []);
      context.beginPath();
      context.roundRect(node.x - node.w / 2, node.y - half, node.w, NODE_HEIGHT, 6);
      context.fill();
      context.stroke();
      context.setLineDash([]);
      if (at === this.selected || node.n === this.options.current) {
        context.strokeStyle = colours.accent;
        context.lineWidth = Math.max(3, 2 / scale);
        context.strokeRect(node.x - node.w / 2 - 4, node.y - half - 4, node.w + 8, NODE_HEIGHT + 8);
      }
      if (scale > 0.28) {
        context.fillStyle = colours.text;
        context.fillText(node.t, node.x, node.y + 1);
      }
    });
  }
}

/** Several graphs, of which one is shown. */
function graphs(panel, list, what, current) {
  const place = el("div", {});
  panel.append(place);
  let shown = -1;
  const choose = (at) => {
    shown = at;
    const graph = list[at];
    const select = el("select", { "aria-label": what }, ...list.map((entry, number) => {
      const size = entry.nodes.length ? " (" + entry.nodes.length + ")" : "";
      return el("option", { value: String(number), selected: number === at }, entry.name + size);
    }));
    select.addEventListener("change", () => { choose(Number(select.value)); place.querySelector("select").focus(); });
    const tools = list.length > 1 ? [el("label", {}, what + " ", select)] : [];
    if (!graph.nodes.length) {
      place.replaceChildren(el("div", { class: "graph-tools" }, ...tools), el("p", { class: "note" }, graph.note || "There is nothing to draw."));
      return;
    }
    const now = current ? current() : null;
    const view = new GraphView(graph, { tools, current: now && now.function === graph.name ? now.location : undefined });
    place.replaceChildren(view.element);
    // For tests, which look at the page from outside.
    place.view = view;
    if (view.options.current !== undefined) view.choose(view.byNumber.get(view.options.current), true);
  };
  return (name) => {
    const at = name === undefined ? -1 : list.findIndex((graph) => graph.name === name);
    choose(at >= 0 ? at : Math.max(0, shown));
  };
}
