// The table of runs. Only the rows that can be seen exist; the others are two rows of the right height.
const ROW = 34;
// On a phone the end of a name is shown rather than its beginning.
const narrow = () => innerWidth < 600;
const shortName = name => narrow() ? name.slice(name.lastIndexOf('/') + 1) || name : name.slice(common.length);
// The folder that all tasks are in, which need not stand in every row.
const common = (() => {
  const parent = path => path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
  let folder = tasks.length ? parent(tasks[0].name) : '';
  for (const task of tasks) while (!task.name.startsWith(folder)) folder = parent(folder);
  return folder;
})();
const view = { rows: tasks, sort: { column: 'task', descending: false }, first: -1, last: -1, metric: CPU };

function header() {
  const top = element('tr', {}, element('th', { class: 'group', colspan: 2, style: 'border-left:0' }, ''));
  labels.forEach((label, at) => top.append(element('th', { class: 'group', colspan: 2, scope: 'colgroup', title: label },
    element('span', { class: 'swatch', style: `background:${colour(at)}` }), label)));
  const second = element('tr', {}, sortable('task', 'Task'), sortable('expected', 'Expected'));
  labels.forEach((label, at) => second.append(sortable('answer' + at, 'answer', '', label), sortable('number' + at, metricName(view.metric), 'number', label)));
  $('runs').tHead.replaceChildren(top, second);
  const widths = [element('col', { style: 'width:auto' }), element('col', { style: `width:${narrow() ? 94 : 100}px` })];
  labels.forEach(() => widths.push(element('col', { style: 'width:146px' }), element('col', { style: 'width:94px' })));
  $('runs').querySelector('colgroup').replaceChildren(...widths);
  $('runs').style.minWidth = (narrow() ? 140 : 300) + 100 + labels.length * 240 + 'px';
}

function sortable(column, text, kind = '', label = '') {
  const { sort } = view;
  const direction = sort.column === column ? (sort.descending ? 'descending' : 'ascending') : 'none';
  const arrow = { ascending: ' ▲', descending: ' ▼', none: '' }[direction];
  const press = () => {
    view.sort = { column, descending: sort.column === column && !sort.descending };
    header();
    apply();
    $('runs').querySelector(`[data-column="${column}"]`).focus();
  };
  return element('th', { class: kind, scope: 'col', 'aria-sort': direction },
    element('button', { type: 'button', 'data-column': column, onclick: press, title: label ? `${label}: ${text}` : text }, text + arrow));
}

function sortKey(column) {
  const at = Number(column.replace(/\D+/, ''));
  if (column === 'expected') return task => String(task.expected);
  if (column.startsWith('answer')) return task => task.runs[at] ? task.runs[at][RATING] + task.runs[at][ANSWER] : '~';
  return task => task.runs[at] && task.runs[at][view.metric] !== null ? task.runs[at][view.metric] : Infinity;
}

function sorted(rows) {
  const { column, descending } = view.sort;
  if (column === 'task') return descending ? rows.slice().reverse() : rows;
  const key = sortKey(column);
  const keyed = rows.map(task => [key(task), task]);
  keyed.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1].at - b[1].at));
  if (descending) keyed.reverse();
  return keyed.map(pair => pair[1]);
}

function chip(run) {
  const text = `${SYMBOLS[run[RATING]] || ''} ${run[ANSWER]}`;
  const title = run[REASON] ? `${run[RATING]}: ${run[REASON]}` : run[RATING];
  if (!run[FOLDER]) return element('span', { class: 'chip ' + run[RATING], title }, text);
  const file = run[REPORT] ? 'output/report.html' : 'log.txt';
  return element('a', { class: 'chip ' + run[RATING], href: address(run[FOLDER], file), title: `${title} (${run[REPORT] ? 'report' : 'log'})` }, text);
}

function row(task, index) {
  const made = element('tr', { 'aria-rowindex': index + 3 },
    element('td', {}, element('button', { type: 'button', title: task.name, onclick: () => details(task) }, shortName(task.name))),
    element('td', {}, task.expected === null ? '–' : String(task.expected)));
  for (const run of task.runs) {
    made.append(element('td', { class: 'first' }, run ? chip(run) : '–'), element('td', { class: 'number' }, run ? shown(view.metric, run[view.metric]) : ''));
  }
  return made;
}

function draw(force = false) {
  const box = $('scroll');
  const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 12);
  const last = Math.min(view.rows.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 12);
  if (!force && first === view.first && last === view.last) return;
  view.first = first;
  view.last = last;
  const space = height => element('tr', { class: 'space', 'aria-hidden': true }, element('td', { colspan: 2 + 2 * labels.length, style: `height:${height}px` }));
  const rows = view.rows.slice(first, last).map((task, at) => row(task, first + at));
  const focused = document.activeElement && document.activeElement.closest('#runs tbody') ? document.activeElement.title : null;
  $('runs').tBodies[0].replaceChildren(space(first * ROW), ...rows, space((view.rows.length - last) * ROW));
  $('runs').setAttribute('aria-rowcount', view.rows.length + 2);
  // A row that is drawn again keeps the focus.
  if (focused) {
    const same = [...$('runs').tBodies[0].querySelectorAll('button')].find(button => button.title === focused);
    (same || box).focus({ preventScroll: true });
  }
}

function details(task) {
  $('details-title').textContent = task.name;
  const pair = (name, value) => value === null || value === undefined || value === '' ? [] : [element('dt', {}, name), element('dd', {}, value)];
  const expected = element('p', {}, task.expected === null ? 'What is right is not known.' : `Expected: ${task.expected}`);
  const runs = task.runs.map((run, at) => {
    if (!run) return element('article', {}, element('h3', {}, labels[at]), 'not finished');
    const link = (file, text) => element('a', { href: address(run[FOLDER], file) }, text);
    const links = run[FOLDER] ? element('span', {}, ...(run[REPORT] ? [link('output/report.html', 'report'), ' · '] : []), link('log.txt', 'log'), ' · ', link('result.json', 'result')) : null;
    return element('article', {}, element('h3', {}, labels[at], element('span', { class: 'chip ' + run[RATING] }, `${SYMBOLS[run[RATING]]} ${run[ANSWER]}`)),
      element('dl', {}, ...pair('rating', run[RATING]), ...pair('reason', run[REASON]), ...pair('CPU time', seconds(run[CPU])), ...pair('wall time', seconds(run[WALL])),
        ...pair('memory', bytes(run[MEMORY])), ...pair('measured by', run[MEASURED]), ...pair('files', links)));
  });
  $('details-body').replaceChildren(expected, ...runs);
  $('details').showModal();
}
