/** Makes an element with attributes and contents. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...contents: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...contents);
  return made;
}

/** A button that shows a picture, and has a name for those who do not see it. */
export function iconButton(name: string, path: string, press: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', 'aria-label': name, title: name }, icon(path));
  button.addEventListener('click', press);
  return button;
}

/** A link that opens beside the page, which the other page learns nothing of. */
export const outsideLink = (href: string, ...contents: readonly (Node | string)[]) =>
  element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...contents);

const SVG = 'http://www.w3.org/2000/svg';

/** @param path of a picture of 24 × 24 */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

export const ICONS = {
  chat: 'M4 5.5h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-8.5L7 21v-3.5H4a1 1 0 0 1-1-1v-10a1 1 0 0 1 1-1ZM8 10h8M8 13.5h5',
  close: 'M6 6l12 12M18 6L6 18',
  again: 'M4 20h4L19 9a2.8 2.8 0 0 0-4-4L4 16v4ZM13 7l4 4',
  send: 'M12 20V5M5.5 11.5 12 5l6.5 6.5',
  up: 'M7 11v9H4a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h3Zm0 0 4-8a2.2 2.2 0 0 1 2.2 2.2V9H19a2 2 0 0 1 2 2.3l-1.1 7A2 2 0 0 1 18 20H7',
  down: 'M17 13V4h3a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-3Zm0 0-4 8a2.2 2.2 0 0 1-2.2-2.2V15H5a2 2 0 0 1-2-2.3l1.1-7A2 2 0 0 1 6 4h11',
} as const;
