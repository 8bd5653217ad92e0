// Which tasks are solved by which configurations: every pair, and every set of configurations that is the exact one of some task.
const chosen = { test: null, key: '', text: '' };

function choose(key, text, test) {
  const same = chosen.key === key;
  Object.assign(chosen, same ? { key: '', text: '', test: null } : { key, text, test });
  apply();
  if (!same) $('table').scrollIntoView({ block: 'nearest' });
}

function drawSets(base) {
  const solved = (task, at) => solvedBits[task.at][at] === '1';
  const counts = labels.map(() => labels.map(() => 0)), totals = labels.map(() => 0), exact = new Map();
  for (const task of base) {
    const bits = solvedBits[task.at];
    exact.set(bits, (exact.get(bits) || 0) + 1);
    for (let i = 0; i < labels.length; i++) {
      if (bits[i] !== '1') continue;
      totals[i]++;
      for (let j = 0; j < labels.length; j++) if (bits[j] !== '1') counts[i][j]++;
    }
  }
  const head = element('tr', {}, element('th', { scope: 'col' }, ''), element('th', { scope: 'col' }, 'solved'), ...labels.map(label => element('th', { scope: 'col' }, 'not ' + label)));
  const rows = labels.map((label, i) => element('tr', {}, element('th', { scope: 'row' }, element('span', { class: 'swatch', style: `background:${colour(i)}` }), label), element('td', {}, totals[i]),
    ...labels.map((other, j) => {
      if (i === j) return element('td', { class: 'zero' }, '·');
      const key = `pair ${i} ${j}`;
      const press = () => choose(key, `solved by ${label}, not by ${other}`, task => solved(task, i) && !solved(task, j));
      return element('td', {}, counts[i][j] ? element('button', { type: 'button', 'aria-pressed': String(chosen.key === key), onclick: press, 'aria-label': `${counts[i][j]} solved by ${label}, not by ${other}` }, counts[i][j]) : element('span', { class: 'zero' }, 0));
    })));
  $('pairs').replaceChildren(element('thead', {}, head), element('tbody', {}, ...rows));
  const sets = [...exact].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const most = sets.length ? sets[0][1] : 1;
  $('exactly').replaceChildren(...sets.slice(0, 200).map(([bits, count]) => {
    const names = labels.filter((_, at) => bits[at] === '1');
    const text = names.length === 0 ? 'none' : names.length === labels.length && labels.length > 1 ? 'all' : names.join(', ');
    const key = 'exactly ' + bits;
    return element('li', {}, element('button', { type: 'button', 'aria-pressed': String(chosen.key === key), onclick: () => choose(key, `solved by ${text}`, task => solvedBits[task.at] === bits) },
      element('b', {}, count), element('span', {}, text), element('span', { class: 'bar', style: `width:${100 * count / most}%`, 'aria-hidden': true })));
  }));
}
