// Keeps the live parts of a page up to date: it fetches the page again, and replaces what has changed.
'use strict';

const PAUSE = 1000;
const live = [...document.querySelectorAll('[data-live]')];
const toggle = document.querySelector('[data-toggle-live]');

// Nothing is replaced while it has the keyboard focus, or while a request in it is unfolded.
function isRead(part) {
  return part.contains(document.activeElement) || part.querySelector('details[open]') !== null;
}

// The tag of what is shown: without a change, nothing but a status comes back.
let shown = '';

async function refresh() {
  const response = await fetch(location.href, { headers: { accept: 'text/html', 'if-none-match': shown } });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  let isWhole = true;
  for (const part of live) {
    const next = fresh.getElementById(part.id);
    if (!next || next.innerHTML === part.innerHTML) continue;
    if (isRead(part)) isWhole = false;
    else part.replaceChildren(...next.childNodes);
  }
  if (isWhole) shown = response.headers.get('etag') ?? '';
}

async function watch() {
  if (toggle.checked && !document.hidden) await refresh().catch(() => {});
  setTimeout(watch, PAUSE);
}

if (live.length > 0 && toggle) {
  toggle.closest('label').hidden = false;
  setTimeout(watch, PAUSE);
}

// A login page that returns to the program by posting a form.
document.querySelector('form[data-at-once]')?.submit();
