import { Element, Text } from 'domhandler';
import { type Document, listElements, isElement } from '../html/parse-html.js';
import { getText } from '../html/element-text.js';

/** The HTML equivalents of elements of JATS, DocBook, DITA and TEI. */
const NAMES: Readonly<Record<string, string>> = {
  'article-title': 'h1',
  source: 'span',
  para: 'p',
  simpara: 'p',
  sec: 'section',
  abstract: 'section',
  list: 'ul',
  itemizedlist: 'ul',
  orderedlist: 'ol',
  'list-item': 'li',
  listitem: 'li',
  item: 'li',
  'ref-list': 'ul',
  ref: 'li',
  'fn-group': 'div',
  fn: 'p',
  programlisting: 'pre',
  screen: 'pre',
  code: 'pre',
  preformat: 'pre',
  fig: 'figure',
  caption: 'figcaption',
  'disp-quote': 'blockquote',
  'disp-formula': 'p',
  row: 'tr',
  entry: 'td',
  bold: 'b',
  'def-list': 'dl',
  term: 'dt',
  def: 'dd',
};
/** Elements with data about the publication rather than the text. */
const LEFT_OUT = new Set(
  (
    'journal-meta article-id article-categories pub-date history permissions self-uri volume issue ' +
    'fpage lpage elocation-id counts custom-meta-group contrib-id tex-math graphic media teiHeader ' +
    'author-notes related-article funding-group indexterm'
  ).split(' '),
);
const CAPTIONED = new Set(['figcaption', 'table-wrap', 'figure']);

/** Renames the elements of an article to those of HTML. */
export function asHtml(document: Document): Document {
  const depths = new Map<Element, number>();
  for (const element of listElements(document)) {
    const name = element.name.slice(element.name.indexOf(':') + 1);
    const parent = element.parent instanceof Element ? element.parent : undefined;
    const depth = (parent ? (depths.get(parent) ?? 1) : 1) + (isSection(name) ? 1 : 0);
    depths.set(element, depth);
    if (LEFT_OUT.has(name)) element.children = [];
    else if (name === 'title' || name === 'head') {
      element.name = CAPTIONED.has(parent?.name ?? '') ? 'b' : `h${Math.min(depth, 6)}`;
    } else if (name === 'sec' || name === 'abstract') nameAbstract(element, name);
    else if (name === 'contrib-group') joinNames(element);
    else if (name === 'title-group' || name === 'front' || name === 'front-stub')
      element.name = 'div';
    else if (name === 'xref' && element.attribs['ref-type'] === 'fn') element.children = [];
    else if (name === 'label' && parent?.name === 'p') element.children = [];
    else if (name === 'list' && element.attribs['list-type'] === 'order') element.name = 'ol';
    else element.name = NAMES[name] ?? name;
  }
  return document;
}

const isSection = (name: string) =>
  /^(?:sec|section|sect[1-5]|abstract|ref-list|ack|app|div)$/.test(name);

/** Adds a title to an abstract, which usually has one in print but not in the file. */
function nameAbstract(element: Element, name: string): void {
  element.name = 'section';
  const hasTitle = element.children.some((child) => isElement(child) && child.name === 'title');
  if (name === 'abstract' && !hasTitle) {
    element.children.unshift(new Element('h2', {}, [new Text('Abstract')]));
  }
}

/** Joins the authors on one line. */
function joinNames(group: Element): void {
  const names = listElements(group).filter(({ name }) => name === 'name' || name === 'string-name');
  const texts = names.map((name) => {
    const parts = listElements(name);
    const part = (wanted: string) => parts.find((each) => each.name === wanted);
    const [given, surname] = [part('given-names'), part('surname')];
    return given && surname ? `${getText(given)} ${getText(surname)}` : getText(name);
  });
  group.name = 'p';
  group.children = [new Text(texts.join(', '))];
}
