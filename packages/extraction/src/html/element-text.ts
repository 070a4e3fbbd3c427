import { isLeftOut } from './leave-out.js';
import { type Element, listElements, isElement, isText } from './parse-html.js';

/** Elements that stand on lines of their own. */
export const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption ' +
    'figure footer form header hgroup hr html label legend li main menu ol p section summary ' +
    'table tbody td tfoot th thead tr ul'
  ).split(' '),
);
/** A reference such as `[14]`, or the link `[edit]` beside a heading. */
const CITATION =
  /^\[\s*(?:\d{1,4}|[a-z]|(?:note|nb|fn|ref)\.? ?\d{1,4}|edit|citation needed)\s*\]$/i;
const MAX_CITATION = 24;
/** Matches the number of a note; a raised link with it is a citation. */
const NOTE_NUMBER = /^[[(]?(?:\d{1,3}|[*†‡§]{1,3})[\])]?$/u;

export function isCitation(element: Element): boolean {
  if (element.name !== 'sup' && element.name !== 'a' && element.name !== 'span') return false;
  const text = getText(element, MAX_CITATION + 1).trim();
  if (text.length > MAX_CITATION) return false;
  return CITATION.test(text) || (NOTE_NUMBER.test(text) && isNoteReference(element));
}

function isNoteReference(element: Element): boolean {
  const { name, attribs } = element;
  if (attribs['epub:type'] === 'noteref' || attribs['role'] === 'doc-noteref') return true;
  const other = name === 'a' ? 'sup' : 'a';
  return (
    (name === 'a' || name === 'sup') &&
    listElements(element).some((inside) => inside.name === other)
  );
}

/** @param enough the number of characters after which the caller needs no more */
export function getText(element: Element, enough = Infinity): string {
  let text = '';
  for (const child of element.children) {
    if (text.length >= enough) break;
    if (isText(child)) text += child.data;
    else if (isElement(child)) text += getText(child, enough - text.length);
  }
  return text;
}

/** The text of code: with its line ends, without numbers of lines. */
export function getCode(element: Element): string {
  let text = '';
  for (const child of element.children) {
    if (isText(child)) text += child.data;
    else if (!isElement(child) || isLeftOut(child)) continue;
    else if (child.name === 'br') text += '\n';
    else {
      const inside = getCode(child);
      // Some highlighters put each line into a block of its own.
      const isLine = BLOCKS.has(child.name) && !inside.endsWith('\n');
      text += isLine ? `${inside}\n` : inside;
    }
  }
  return text;
}

/** The share of an element's text that stands in links. */
export function measureLinkShare(element: Element): number {
  const all = getText(element).trim().length;
  if (all === 0) return 1;
  let linked = 0;
  for (const inside of listElements(element)) {
    if (inside.name === 'a') linked += getText(inside).length;
  }
  return linked / all;
}
