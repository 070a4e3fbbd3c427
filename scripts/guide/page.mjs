import { textOf } from './markdown.mjs';
import { between } from './places.mjs';

/** What is wider than the page is scrolled by the keyboard, too. */
const scrollable = (content) =>
  content
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');

/**
 * The page around a text.
 *
 * @param here its place in the site
 * @param navigation groups with names and links, as text and place
 */
export function pageOf(content, here, navigation) {
  const root = '../'.repeat(here.split('/').length - 1) || './';
  const title = textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(content)?.[1] ?? '');
  const linkTo = ([text, place]) =>
    `<li><a href="${between(here, place)}"${place === here ? ' aria-current="page"' : ''}>${text}</a></li>`;
  const groups = navigation.map(
    ({ name, links }) => `<h2>${name}</h2><ul>${links.map(linkTo).join('')}</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Latchkey</title>
<link rel="icon" href="${root}icon.svg">
<link rel="stylesheet" href="${root}guide.css">
<script src="${root}search.js" data-root="${root}" defer></script>
</head>
<body>
<header>
<a class="home" href="${root}"><img src="${root}icon.svg" alt=""> Latchkey</a>
<search><input type="search" id="search" placeholder="Search" aria-label="Search" autocomplete="off"><ol id="found" hidden></ol></search>
</header>
<details id="contents" open><summary>Contents</summary><nav aria-label="Contents">${groups.join('')}</nav></details>
<main>${scrollable(content)}</main>
</body>
</html>
`;
}
