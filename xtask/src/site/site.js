'use strict';
// Search, and tabs for programs in several languages. Without scripts, the programs are displayed one below the other.

const NAMES = { python: 'Python', js: 'Node.js', kotlin: 'Kotlin', swift: 'Swift', rust: 'Rust' };
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
    if (words.length > 0 && best.length === 0) found.append(Object.assign(document.createElement('li'), { textContent: 'Nothing was found.' }));
  });
}

/** Matches in titles count most; every word must occur. */
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

const KEY = 'sondage-language';

/** The language that was chosen on this or another page; none where a browser stores nothing for files. */
function chosen() {
  try { return localStorage.getItem(KEY); } catch { return null; }
}

function choose(name) {
  try { localStorage.setItem(KEY, name); } catch { /* It holds for this page. */ }
  for (const bar of document.querySelectorAll('.tabs')) bar.dispatchEvent(new CustomEvent('choose', { detail: name }));
}

/** Blocks of code that follow each other in different languages become tabs. */
function tabs() {
  const language = (pre) => pre.querySelector('code')?.className.replace('language-', '');
  for (const first of document.querySelectorAll('main pre')) {
    const group = [first];
    for (let next = first.nextElementSibling; next?.tagName === 'PRE'; next = next.nextElementSibling) group.push(next);
    const names = group.map((pre) => NAMES[language(pre)]);
    if (group.length < 2 || names.includes(undefined) || new Set(names).size < names.length) continue;
    if (first.previousElementSibling?.classList.contains('tabs') || first.getAttribute('role') === 'tabpanel') continue;
    first.before(tabBar(group, names));
  }
  if (chosen() !== null) choose(chosen());
}

/** One tab of a bar is reached by Tab, the others by the arrow keys. A choice holds for all bars that have the language. */
function tabBar(group, names) {
  const bar = document.createElement('div');
  bar.className = 'tabs';
  bar.setAttribute('role', 'tablist');
  bar.setAttribute('aria-label', 'Languages');
  const buttons = names.map((name) => Object.assign(document.createElement('button'), { textContent: name, type: 'button' }));
  const show = (number) => group.forEach((pre, at) => {
    pre.hidden = at !== number;
    buttons[at].setAttribute('aria-selected', String(at === number));
    buttons[at].tabIndex = at === number ? 0 : -1;
  });
  const order = document.querySelectorAll('.tabs').length;
  buttons.forEach((button, at) => {
    Object.assign(button, { id: `tab-${order}-${at}` });
    Object.assign(group[at], { id: `program-${order}-${at}`, tabIndex: 0 });
    button.setAttribute('role', 'tab');
    button.setAttribute('aria-controls', group[at].id);
    group[at].setAttribute('role', 'tabpanel');
    group[at].setAttribute('aria-labelledby', button.id);
    button.addEventListener('click', () => {
      const before = button.getBoundingClientRect().top;
      choose(names[at]);
      // Programs above this one may be longer in the selected language: scrolling keeps the bar in place.
      scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
    });
    button.addEventListener('keydown', ({ key }) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (step === undefined) return;
      const next = buttons[(at + step + buttons.length) % buttons.length];
      next.click();
      next.focus();
    });
  });
  bar.addEventListener('choose', ({ detail }) => { if (names.includes(detail)) show(names.indexOf(detail)); });
  bar.append(...buttons);
  show(0);
  return bar;
}

/** On small screens an open menu would cover the page. */
function fold() {
  if (!matchMedia('(min-width: 62rem)').matches) document.querySelector('.top details[open]')?.removeAttribute('open');
}

search();
tabs();
fold();
