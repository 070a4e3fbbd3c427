import { webAddress } from './addresses.js';
import { element, outsideLink } from './dom.js';

/** A citation, a bold text, code, a link, or an address. */
const INLINE =
  /\[(\d{1,3})\]|\*\*([^*\n]+)\*\*|`([^`\n]+)`|\[([^\]\n]+)\]\((https?:\/\/[^\s()<>]+)\)|(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g;
const LIST_ITEM = /^\s*(?:[-*•]|(\d{1,3})[.)])\s+/;
const HEADING = /^#{1,6}\s+/;
const FENCE = /^\s*```/;

/** Makes the link for a citation; undefined for a source that there is not. */
export type Cite = (index: number) => HTMLElement | undefined;

/** Shows the text of an answer. It is made of text nodes, so that nothing in it can become markup. */
export function renderAnswer(text: string, cite: Cite): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  let list: HTMLElement | undefined;
  let paragraph: HTMLElement | undefined;
  let code: HTMLElement | undefined;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      [list, paragraph] = [undefined, undefined];
      if (code) code = undefined;
      else blocks.push(element('pre', { tabindex: '0' }, (code = element('code'))));
    } else if (code) {
      code.append(code.textContent === '' ? line : `\n${line}`);
    } else if (line.trim() === '') {
      [list, paragraph] = [undefined, undefined];
    } else if (LIST_ITEM.test(line)) {
      paragraph = undefined;
      const [marker = '', number] = LIST_ITEM.exec(line) ?? [];
      if (!list) blocks.push((list = makeList(number)));
      list.append(element('li', {}, ...renderInline(line.slice(marker.length), cite)));
    } else if (HEADING.test(line)) {
      [list, paragraph] = [undefined, undefined];
      const title = renderInline(line.replace(HEADING, ''), cite);
      blocks.push(element('p', {}, element('strong', {}, ...title)));
    } else {
      list = undefined;
      if (paragraph) paragraph.append(element('br'));
      else blocks.push((paragraph = element('p')));
      paragraph.append(...renderInline(line, cite));
    }
  }
  for (const block of blocks) block.dir = 'auto';
  return blocks;
}

const makeList = (number: string | undefined) =>
  number === undefined ? element('ul') : element('ol', { start: number });

function renderInline(text: string, cite: Cite): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, index, bold, code, title, address, url] = match;
    nodes.push(text.slice(end, match.index));
    end = match.index + whole.length;
    const href = webAddress(address ?? url);
    if (index !== undefined) nodes.push(cite(Number(index)) ?? whole);
    else if (bold !== undefined) nodes.push(element('strong', {}, bold));
    else if (code !== undefined) nodes.push(element('code', {}, code));
    else nodes.push(href === undefined ? whole : outsideLink(href, title ?? whole));
  }
  return [...nodes, text.slice(end)];
}
