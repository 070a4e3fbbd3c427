/* global document, fetch, matchMedia */
// Looks through the texts of all pages, by the beginnings of words. They are loaded when they are first needed.
const { root } = document.currentScript.dataset;
const input = document.querySelector('#search');
const found = document.querySelector('#found');
const MOST = 12;
let loading;

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

async function load() {
  const response = await fetch(`${root}search.json`);
  const sections = await response.json();
  return sections.map(([place, title, heading, text]) => ({
    ...{ place, title, heading, text },
    names: ` ${wordsOf(`${title} ${heading}`).join(' ')}`,
    words: ` ${wordsOf(text).join(' ')}`,
  }));
}

/** Sections that have every word, those with the words in their names first. */
function matchesOf(sections, words) {
  const scoreOf = ({ names, words: all }) =>
    words.every((word) => all.includes(` ${word}`) || names.includes(` ${word}`))
      ? 1 + words.filter((word) => names.includes(` ${word}`)).length
      : 0;
  return sections
    .map((section) => ({ section, score: scoreOf(section) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ section }) => section);
}

function show({ place, title, heading, text }, [word]) {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = root + place;
  link.textContent = heading ? `${title}: ${heading}` : title;
  const near = text.toLowerCase().indexOf(word) - 60;
  const start = near < 0 ? 0 : text.indexOf(' ', near) + 1;
  item.appendChild(document.createElement('p')).textContent = text.slice(start, start + 160);
  return item;
}

input.addEventListener('input', async () => {
  const words = wordsOf(input.value);
  const sections = await (loading ??= load());
  // Somebody may have written on in the meantime.
  if (words.join() !== wordsOf(input.value).join()) return;
  const matches = words.length === 0 ? [] : matchesOf(sections, words);
  found.replaceChildren(...matches.map((section) => show(section, words)));
  if (words.length > 0 && matches.length === 0) found.textContent = 'Nothing is found.';
  found.hidden = words.length === 0;
});
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') found.hidden = true;
  if (key === 'Enter') found.querySelector('a')?.click();
});
// On a phone the contents would stand above every page.
if (matchMedia('(max-width: 800px)').matches) document.querySelector('#contents').open = false;
