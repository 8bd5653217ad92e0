'use strict';
const started = performance.now();
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
// Cells of a run, in the order in which they are written.
const ANSWER = 0, RATING = 1, CPU = 2, WALL = 3, MEMORY = 4, REASON = 5, FOLDER = 6, REPORT = 7, MEASURED = 8;
const SYMBOLS = { correct: '✓', wrong: '✗', unknown: '?', error: '!', unrated: '•' };
const COLOURS = ['#2f7ed8', '#d9622b', '#2a9d5c', '#b0448f', '#c09a10', '#17a2b8', '#7a5cd6', '#8a6d4b', '#d64570', '#6b7a8f'];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5]];
const labels = data.configs.map(config => config.label);
const tasks = data.tasks.map((task, at) => ({
  at, name: task[0], low: task[0].toLowerCase(), expected: task[1], runs: data.runs.map(column => column[at]),
}));
let solvedBits = tasks.map(task => task.runs.map(run => run && run[RATING] === 'correct' ? 1 : 0).join(''));

// Elements are made of texts, never of markup: names of tasks are names of files, which may be anything.
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'class') made.className = value;
    else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined).map(child => child instanceof Node ? child : String(child)));
  return made;
}
const colour = at => COLOURS[at % COLOURS.length];
const dash = at => DASHES[Math.floor(at / COLOURS.length) % DASHES.length];

function seconds(value) {
  if (value === null || value === undefined) return '';
  return value < 10 ? value.toFixed(2) + ' s' : value < 1000 ? value.toFixed(1) + ' s' : Math.round(value).toLocaleString('en') + ' s';
}
function bytes(value) {
  if (value === null || value === undefined) return '';
  return value < 1e9 ? (value / 1e6).toFixed(value < 1e7 ? 1 : 0) + ' MB' : (value / 1e9).toFixed(2) + ' GB';
}
const shown = (metric, value) => metric === MEMORY ? bytes(value) : seconds(value);
const metricName = metric => ({ [CPU]: 'CPU time', [WALL]: 'wall time', [MEMORY]: 'memory' })[metric];

// Paths come from names of files: each part is written as a part of an address.
function address(folder, file) {
  return folder.split('/').map(encodeURIComponent).join('/') + '/' + file;
}
