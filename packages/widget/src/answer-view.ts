import { element } from './dom.js';

/** A citation, a bold text, code, or an address. */
const INLINE = /\[(\d{1,3})\]|\*\*([^*\n]+)\*\*|`([^`\n]+)`|(https?:\/\/[^\s<>"')\]]+)/g;
const LIST_ITEM = /^\s*(?:[-*•]|(\d{1,3})[.)])\s+/;

/**
 * Shows the text of an answer. It is made of text nodes, so that nothing in it can become markup.
 *
 * @param cite makes the link for a citation; undefined for a source that there is not
 */
export function renderAnswer(
  text: string,
  cite: (index: number) => HTMLElement | undefined,
): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  for (const part of text.split(/\n{2,}/)) {
    let list: HTMLElement | undefined;
    let paragraph: HTMLElement | undefined;
    for (const line of part.split('\n')) {
      const [marker, number] = LIST_ITEM.exec(line) ?? [];
      if (marker === undefined) {
        list = undefined;
        if (paragraph) paragraph.append(element('br'));
        else blocks.push((paragraph = element('p')));
        paragraph.append(...renderInline(line, cite));
        continue;
      }
      paragraph = undefined;
      if (!list) {
        blocks.push((list = element(number === undefined ? 'ul' : 'ol')));
        if (number !== undefined) list.setAttribute('start', number);
      }
      list.append(element('li', {}, ...renderInline(line.slice(marker.length), cite)));
    }
  }
  return blocks;
}

function renderInline(
  text: string,
  cite: (index: number) => HTMLElement | undefined,
): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, index, bold, code, url] = match;
    nodes.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (index !== undefined) nodes.push(cite(Number(index)) ?? whole);
    else if (bold !== undefined) nodes.push(element('strong', {}, bold));
    else if (code !== undefined) nodes.push(element('code', {}, code));
    else if (url !== undefined) {
      nodes.push(element('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url));
    }
  }
  return [...nodes, text.slice(end)];
}
