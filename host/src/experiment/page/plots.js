// The plots follow the filters. They are drawn on canvases: there may be tens of thousands of points.
const plot = { points: [], hidden: new Set() };

function surface(canvas) {
  const box = canvas.getBoundingClientRect(), scale = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(box.width * scale));
  canvas.height = Math.max(1, Math.round(box.height * scale));
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, box.width, box.height);
  const style = getComputedStyle(document.documentElement);
  const tone = name => style.getPropertyValue('--' + name).trim();
  context.font = '12px system-ui, sans-serif';
  return { context, width: box.width, height: box.height, tone };
}

// Positions on an axis from `least` to `most`, linear or logarithmic.
function axis(least, most, from, to, logarithmic) {
  const low = logarithmic ? Math.log10(least) : 0, high = logarithmic ? Math.log10(most) : most;
  const place = value => {
    const at = logarithmic ? Math.log10(Math.min(most, Math.max(least, value))) : Math.min(most, value);
    return from + (to - from) * (high === low ? 0 : (at - low) / (high - low));
  };
  const ticks = [];
  if (logarithmic) for (let power = Math.ceil(low - 1e-9); power <= high + 1e-9; power++) ticks.push(10 ** power);
  else {
    const rough = most / 5, unit = 10 ** Math.floor(Math.log10(rough || 1));
    const step = [1, 2, 5, 10].map(factor => factor * unit).find(size => size >= rough) || 1;
    for (let value = 0; value <= most * 1.0001; value += step) ticks.push(value);
  }
  return { place, ticks };
}

const tickText = (metric, value) => metric === MEMORY ? (value >= 1e9 ? value / 1e9 + ' GB' : value / 1e6 + ' MB')
  : (value >= 1 || value === 0 ? String(Math.round(value * 100) / 100) : String(value)) + ' s';

function grid({ context, tone }, x, y, area, metricX, metricY) {
  context.lineWidth = 1;
  context.textBaseline = 'middle';
  for (const value of x.ticks) {
    const at = Math.round(x.place(value)) + .5;
    context.strokeStyle = tone('line');
    context.beginPath(); context.moveTo(at, area.top); context.lineTo(at, area.bottom); context.stroke();
    context.fillStyle = tone('soft'); context.textAlign = 'center';
    context.fillText(metricX === null ? String(value) : tickText(metricX, value), at, area.bottom + 12);
  }
  for (const value of y.ticks) {
    const at = Math.round(y.place(value)) + .5;
    context.strokeStyle = tone('line');
    context.beginPath(); context.moveTo(area.left, at); context.lineTo(area.right, at); context.stroke();
    context.fillStyle = tone('soft'); context.textAlign = 'right';
    context.fillText(tickText(metricY, value), area.left - 6, at);
  }
}

// Smallest and largest value of a metric, widened to powers of ten.
function range(values) {
  let least = Infinity, most = 0;
  for (const value of values) { if (value > 0 && value < least) least = value; if (value > most) most = value; }
  if (!(most > 0)) return [0.01, 1];
  least = Math.max(least, most / 1e6);
  return [10 ** Math.floor(Math.log10(least) + 1e-9), Math.max(most * 1.05, least * 10)];
}

function drawScatter() {
  const drawn = surface($('scatter')), { context, width, height, tone } = drawn;
  const [i, j] = [Number($('scatter-x').value), Number($('scatter-y').value)], metric = view.metric;
  const logarithmic = $('scatter-log').checked;
  const area = { left: 62, right: width - 16, top: 12, bottom: height - 44 };
  const pairs = view.rows.filter(task => task.runs[i] && task.runs[j] && task.runs[i][metric] !== null && task.runs[j][metric] !== null);
  const [least, most] = range(pairs.flatMap(task => [task.runs[i][metric], task.runs[j][metric]]));
  const x = axis(least, most, area.left, area.right, logarithmic), y = axis(least, most, area.bottom, area.top, logarithmic);
  grid(drawn, x, y, area, metric, metric);
  context.strokeStyle = tone('soft'); context.setLineDash([4, 4]);
  context.beginPath(); context.moveTo(x.place(least), y.place(least)); context.lineTo(x.place(most), y.place(most)); context.stroke();
  context.setLineDash([]);
  plot.points = [];
  const kinds = { correct: 'correct', wrong: 'wrong', unknown: 'unknown', error: 'error', unrated: 'unrated' };
  let fasterX = 0, fasterY = 0;
  for (const task of pairs) {
    const [one, other] = [task.runs[i], task.runs[j]];
    const px = x.place(one[metric]), py = y.place(other[metric]);
    const both = one[RATING] === other[RATING];
    const worst = [one[RATING], other[RATING]].includes('wrong') ? 'wrong' : both ? one[RATING] : 'unknown';
    context.strokeStyle = tone(kinds[worst]); context.globalAlpha = .75; context.lineWidth = 1.3;
    context.beginPath();
    // Solved by one alone is a cross; the rest are circles.
    if (both) context.arc(px, py, 3.2, 0, 7);
    else { context.moveTo(px - 3, py - 3); context.lineTo(px + 3, py + 3); context.moveTo(px + 3, py - 3); context.lineTo(px - 3, py + 3); }
    context.stroke();
    if (one[RATING] === 'correct' && other[RATING] === 'correct') { if (one[metric] < other[metric]) fasterX++; else if (other[metric] < one[metric]) fasterY++; }
    plot.points.push([px, py, task]);
  }
  context.globalAlpha = 1; context.fillStyle = tone('text'); context.textAlign = 'center';
  const short = text => text.length > 44 ? text.slice(0, 43) + '…' : text;
  context.fillText(short(labels[i]), (area.left + area.right) / 2, height - 12);
  context.save(); context.translate(10, (area.top + area.bottom) / 2); context.rotate(-Math.PI / 2); context.fillText(short(labels[j]), 0, 0); context.restore();
  const less = metric === MEMORY ? 'needs less memory' : 'is faster';
  $('scatter-note').textContent = `Of tasks that both solve, ${labels[i]} ${less} on ${fasterX}, ${labels[j]} on ${fasterY}. Circles: same rating; crosses: different ratings.`;
  $('scatter').setAttribute('aria-label', `Scatter plot, ${metricName(metric)}: ${labels[i]} against ${labels[j]}, ${pairs.length} tasks`);
}

function drawQuantile() {
  const drawn = surface($('quantile')), { context, width, height, tone } = drawn, metric = view.metric;
  const area = { left: 62, right: width - 16, top: 12, bottom: height - 44 };
  const lines = labels.map((_, at) => {
    if (plot.hidden.has(at)) return [];
    const values = [];
    for (const task of view.rows) { const run = task.runs[at]; if (run && run[RATING] === 'correct' && run[metric] !== null) values.push(run[metric]); }
    return values.sort((a, b) => a - b);
  });
  const [least, most] = range(lines.flatMap(values => values.length ? [values[0], values[values.length - 1]] : []));
  const count = Math.max(1, ...lines.map(values => values.length));
  const x = axis(0, count, area.left, area.right, false), y = axis(least, most, area.bottom, area.top, true);
  x.ticks = x.ticks.filter(Number.isInteger);
  grid(drawn, x, y, area, null, metric);
  lines.forEach((values, at) => {
    context.strokeStyle = colour(at); context.lineWidth = 2; context.setLineDash(dash(at));
    context.beginPath();
    values.forEach((value, n) => n ? context.lineTo(x.place(n + 1), y.place(value)) : context.moveTo(x.place(n + 1), y.place(value)));
    context.stroke();
    if (values.length === 1) { context.fillStyle = colour(at); context.fillRect(x.place(1) - 2, y.place(values[0]) - 2, 4, 4); }
  });
  context.setLineDash([]); context.fillStyle = tone('text'); context.textAlign = 'center';
  context.fillText('correct answers', (area.left + area.right) / 2, height - 12);
  $('quantile').setAttribute('aria-label', `Quantile plot of ${metricName(metric)}: ` + labels.map((label, at) => `${label} ${lines[at].length}`).join(', ') + ' correct answers');
}

function legend() {
  $('legend').replaceChildren(...labels.map((label, at) => element('button', {
    type: 'button', 'aria-pressed': String(!plot.hidden.has(at)),
    onclick: () => { if (!plot.hidden.delete(at)) plot.hidden.add(at); legend(); drawQuantile(); $('legend').children[at].focus(); },
  }, element('span', { class: 'swatch', style: `background:${colour(at)}` }), label)));
}

function nearest(event) {
  const box = $('scatter').getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  let best = null, distance = 150;
  for (const point of plot.points) {
    const d = (point[0] - x) ** 2 + (point[1] - y) ** 2;
    if (d < distance) { distance = d; best = point; }
  }
  return best && best[2];
}

function watchScatter() {
  const tip = $('tip');
  $('scatter').addEventListener('pointermove', event => {
    const task = nearest(event);
    tip.hidden = !task;
    if (!task) return;
    const line = at => `${labels[at]}: ${task.runs[at][ANSWER]}, ${shown(view.metric, task.runs[at][view.metric])}`;
    tip.textContent = `${task.name}\n${line(Number($('scatter-x').value))}\n${line(Number($('scatter-y').value))}`;
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
    tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
  });
  $('scatter').addEventListener('pointerleave', () => { tip.hidden = true; });
  $('scatter').addEventListener('click', event => { const task = nearest(event); if (task) details(task); });
}
