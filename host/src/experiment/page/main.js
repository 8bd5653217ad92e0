// Filters, the summary, and the first drawing.
let pending = 0;

function filtered() {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const expected = $('expected').value, who = $('who').value, rating = $('rating').value, differ = $('differ').checked;
  const is = run => run && (run[RATING] === rating || run[ANSWER] === rating);
  return tasks.filter(task => {
    for (const word of words) if (!task.low.includes(word)) return false;
    if (expected && String(task.expected) !== expected) return false;
    if (rating && !(who === '' ? task.runs.some(is) : is(task.runs[Number(who)]))) return false;
    if (differ && task.runs.every(run => run && task.runs[0] && run[ANSWER] === task.runs[0][ANSWER])) return false;
    return true;
  });
}

function apply() {
  const before = performance.now();
  const base = filtered();
  view.rows = sorted(chosen.test ? base.filter(chosen.test) : base);
  $('scroll').scrollTop = 0;
  draw(true);
  const only = chosen.test ? `, ${chosen.text}` : '';
  $('count').textContent = `${view.rows.length.toLocaleString('en')} of ${tasks.length.toLocaleString('en')} tasks${common ? ` in ${common}` : ''}${only}`;
  document.documentElement.dataset.filterMs = (performance.now() - before).toFixed(1);
  // Plots may be a frame late; typing may not.
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(() => {
    drawScatter(); drawQuantile(); drawSets(base);
    document.documentElement.dataset.plotsMs = (performance.now() - before).toFixed(1);
  });
}

function drawSummary() {
  const columns = [['correct', row => row.correct_true + row.correct_false], ['true', row => row.correct_true], ['false', row => row.correct_false],
    ['wrong true', row => row.wrong_true, true], ['wrong false', row => row.wrong_false, true], ['unknown', row => row.unknown], ['timeout', row => row.timeout],
    ['out of memory', row => row.out_of_memory], ['error', row => row.error, true], ['unrated', row => row.unrated], ['score', row => row.score],
    ['CPU of correct', row => row.correct_cpu_seconds], ['CPU', row => row.cpu_seconds]];
  const used = columns.filter(([name, value]) => name !== 'unrated' || data.summary.some(row => value(row)));
  const best = name => Math.max(...data.summary.map(used.find(column => column[0] === name)[1]));
  const top = { correct: best('correct'), score: best('score') };
  const head = element('tr', {}, element('th', { scope: 'col' }, 'Configuration'), ...used.map(([name]) => element('th', { scope: 'col' }, name)));
  const rows = data.summary.map((row, at) => {
    const info = data.configs[at] || { config: '', options: [] };
    const title = [info.config, ...info.options].join(' ');
    return element('tr', {}, element('th', { scope: 'row', title }, element('span', { class: 'swatch', style: `background:${colour(at)}` }), row.config), ...used.map(([name, value, bad]) => {
      const number = value(row), isTime = name.startsWith('CPU');
      const kind = number === 0 ? 'zero' : bad && name !== 'error' ? 'bad' : top[name] === number ? 'best' : '';
      return element('td', { class: kind }, isTime ? seconds(number) : number.toLocaleString('en'));
    }));
  });
  $('summary').replaceChildren(element('thead', {}, head), element('tbody', {}, ...rows));
}

function drawHead() {
  $('title').textContent = data.experiment;
  $('about').textContent = data.about;
  const limits = data.limits || {};
  const facts = [['runs', data.finished === data.planned ? data.planned.toLocaleString('en') : `${data.finished} of ${data.planned} finished`], ['tasks', tasks.length.toLocaleString('en')],
    ['wall', limits.wall], ['CPU', limits.cpu], ['memory', limits.memory], ['cores a run', limits.cores || null], ['at a time', data.jobs], ['tandem', data.tandem]];
  $('facts').replaceChildren(...facts.filter(fact => fact[1]).map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

function drawChanges() {
  if (!data.comparisons.length) return;
  $('changes').hidden = false;
  const kinds = [['gained', 'gained'], ['lost', 'lost'], ['changed', 'answered otherwise'], ['slower', 'slower'], ['faster', 'faster']];
  $('changes-body').replaceChildren(...data.comparisons.flatMap(found => {
    const name = found.old === found.new ? found.new : `${found.old} → ${found.new}`;
    const mean = found.mean_ratio === null ? '' : `, time new/old ×${found.mean_ratio.toFixed(2)} on ${found.solved_by_both} tasks that both solve`;
    const lists = kinds.filter(([key]) => found[key].length).map(([key, text]) => element('details', { open: key === 'lost' || key === 'gained' }, element('summary', {}, `${found[key].length} ${text}`),
      element('ul', {}, ...found[key].map(change => element('li', { class: change.wrong ? 'bad' : '' }, `${change.task}: ${change.old === change.new ? change.old : change.old + ' → ' + change.new}, ${seconds(change.old_seconds)} → ${seconds(change.new_seconds)} (×${change.ratio.toFixed(2)})${change.wrong ? ', WRONG' : ''}`)))));
    return [element('h3', {}, name + (lists.length ? '' : ': nothing gained, lost or changed') + mean), ...lists];
  }));
}

function begin() {
  drawHead(); drawChanges(); drawSummary();
  $('who').replaceChildren(element('option', { value: '' }, 'any'), ...labels.map((label, at) => element('option', { value: at }, label)));
  for (const [id, at] of [['scatter-x', 0], ['scatter-y', Math.min(1, labels.length - 1)]]) {
    $(id).replaceChildren(...labels.map((label, i) => element('option', { value: i, selected: i === at }, label)));
    $(id).addEventListener('change', drawScatter);
  }
  $('scatter-log').addEventListener('change', drawScatter);
  $('metric').addEventListener('change', () => { view.metric = Number($('metric').value); header(); apply(); });
  for (const id of ['search', 'expected', 'who', 'rating', 'differ']) $(id).addEventListener('input', apply);
  $('filters').addEventListener('submit', event => event.preventDefault());
  $('filters').addEventListener('reset', () => setTimeout(() => { Object.assign(chosen, { test: null, key: '', text: '' }); view.metric = CPU; header(); apply(); }));
  $('scroll').addEventListener('scroll', () => draw(), { passive: true });
  const again = () => { header(); draw(true); drawScatter(); drawQuantile(); };
  let timer = 0;
  addEventListener('resize', () => { clearTimeout(timer); timer = setTimeout(again, 80); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  header(); legend(); watchScatter(); apply();
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.readyMs = performance.now().toFixed(1); }));
}
begin();
