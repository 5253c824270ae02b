'use strict';
// Search, and tabs for programs in several languages. Without it everything is there as well, one below the other.

const NAMES = { python: 'Python', js: 'Node.js', kotlin: 'Kotlin', swift: 'Swift', rust: 'Rust', sh: 'Shell' };
const home = document.body.dataset.home;

function search() {
  const box = document.querySelector('[role="search"]');
  const found = document.getElementById('found');
  box.hidden = false;
  box.querySelector('input').addEventListener('input', ({ target }) => {
    const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = words.length === 0 ? [] : globalThis.searchIndex.map((entry) => [rank(entry, words), entry]);
    const best = hits.filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).slice(0, 12);
    found.replaceChildren(...best.map(([, entry]) => item(entry, words)));
  });
}

/** Words of titles count most; every word has to occur. */
function rank({ title, headings, text }, words) {
  const places = [[title, 8], [headings.map(([, name]) => name).join(' '), 3], [text, 1]];
  let points = 0;
  for (const word of words) {
    const of = places.reduce((sum, [place, worth]) => sum + (place.toLowerCase().includes(word) ? worth : 0), 0);
    if (of === 0) return 0;
    points += of;
  }
  return points;
}

function item({ page, title, headings }, words) {
  const part = headings.find(([, name]) => words.every((word) => name.toLowerCase().includes(word)));
  const link = document.createElement('a');
  link.href = home + page + (part === undefined ? '' : `#${part[0]}`);
  link.textContent = part === undefined ? title : `${title}: ${part[1]}`;
  const entry = document.createElement('li');
  entry.append(link);
  return entry;
}

/** Blocks of code that follow each other in different languages become tabs. */
function tabs() {
  const language = (pre) => pre.querySelector('code')?.className.replace('language-', '');
  for (const first of document.querySelectorAll('main pre')) {
    const group = [first];
    for (let next = first.nextElementSibling; next?.tagName === 'PRE'; next = next.nextElementSibling) group.push(next);
    const names = group.map((pre) => NAMES[language(pre)]);
    if (group.length < 2 || first.hidden || names.includes(undefined) || new Set(names).size < names.length) continue;
    if (first.previousElementSibling?.classList.contains('tabs')) continue;
    const bar = document.createElement('div');
    bar.className = 'tabs';
    bar.setAttribute('role', 'tablist');
    const buttons = names.map((name) => Object.assign(document.createElement('button'), { textContent: name, type: 'button' }));
    const show = (number) => group.forEach((pre, at) => {
      pre.hidden = at !== number;
      buttons[at].setAttribute('aria-selected', String(at === number));
    });
    buttons.forEach((button, at) => {
      button.setAttribute('role', 'tab');
      button.addEventListener('click', () => show(at));
    });
    bar.append(...buttons);
    first.before(bar);
    show(0);
  }
}

/** On a small screen the menu would be above everything. */
function fold() {
  if (!matchMedia('(min-width: 62rem)').matches) document.querySelector('.top details[open]')?.removeAttribute('open');
}

search();
tabs();
fold();
