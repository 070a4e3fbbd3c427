import { type Document, type Element, listElements, isElement, isText } from './parse-html.js';
import { getText } from './element-text.js';

/** Ways in which pages declare their main content, the most reliable first. */
const DECLARATIONS: ((element: Element) => boolean)[] = [
  ({ attribs }) => attribs['id'] === 'mw-content-text',
  ({ attribs }) => hasClass(attribs['class'], 'theme-doc-markdown'),
  ({ name }) => name === 'article',
  ({ attribs }) => attribs['role'] === 'main',
  ({ name }) => name === 'main',
];
/** If the declared content has a smaller share of the page's text, it is incomplete. */
const MIN_SHARE = 0.3;
const CHROME = new Set(['nav', 'header', 'footer', 'aside', 'script', 'style', 'noscript', 'form']);

/** The part of a page that it declares to be its content, if there is just one. */
export function findDeclaredContent(page: Document): Element | undefined {
  const elements = listElements(page);
  const needed = MIN_SHARE * measureText(page);
  for (const isDeclared of DECLARATIONS) {
    const found = elements.filter(isDeclared);
    const [only] = found;
    if (found.length === 1 && only && getText(only, needed + 1).length > needed) return only;
  }
  return undefined;
}

const hasClass = (value: string | undefined, name: string): boolean =>
  value?.split(/\s+/).includes(name) ?? false;

/** The length of the text without navigation and the like. */
function measureText(node: Document | Element): number {
  let length = 0;
  for (const child of node.children) {
    if (isText(child)) length += child.data.trim().length;
    else if (isElement(child) && !CHROME.has(child.name)) length += measureText(child);
  }
  return length;
}
