import type { Block, ReadingContext } from '../block.js';
import { decodeText } from '../decode-text.js';
import { getText } from '../html/element-text.js';
import {
  type Element,
  listElements,
  isElement,
  isText,
  parseHtml,
  parseXml,
} from '../html/parse-html.js';
import { textBlocks } from '../html/walk.js';
import { asHtml } from './article-markup.js';
import { type Value, valueBlocks } from './value-blocks.js';

/** Reads XML: an article as its text, any other document as paths and values. */
export function readXmlDocument(content: Uint8Array, context: ReadingContext): readonly Block[] {
  const document = parseXml(decodeText(content, context));
  context.progress();
  const root = document.children.find(isElement);
  if (!root) return textBlocks(document);
  if (isArticle(root)) return textBlocks(asHtml(document));
  return valueBlocks(new Map([[root.name, toValue(root)]]), context.progress.bind(context));
}

/** Matches HTML, which feeds put into their texts. */
const HTML = /<\/[a-z][a-z\d]*\s*>|<br\s*\/?>/i;

/** Whether a document has paragraphs of text, as JATS, DocBook, DITA and TEI have. */
const isArticle = (root: Element): boolean =>
  /^(?:\w+:)?(?:article|book|chapter|section|topic|concept|task|TEI|text)$/i.test(root.name) &&
  listElements(root).some(({ name }) => /^(?:\w+:)?(?:p|para|simpara)$/.test(name));

/** Children with the same name become a list; an element with both text and elements becomes text. */
function toValue(element: Element): Value {
  const fields = new Map<string, Value>();
  for (const [name, value] of Object.entries(element.attribs)) {
    if (!/^xmlns\b|^xsi:/.test(name)) fields.set(name, value);
  }
  const children = element.children.filter(isElement);
  const own = element.children.filter(isText).map(({ data }) => data);
  const text = own.join(' ').trim();
  if (children.length === 0 || text !== '') {
    const all = withoutTags(children.length === 0 ? text : getText(element));
    return fields.size === 0 ? all : fields.set('', all);
  }
  const lists = new Map<string, Value[]>();
  for (const child of children) {
    const values = lists.get(child.name);
    if (values) values.push(toValue(child));
    else lists.set(child.name, [toValue(child)]);
  }
  for (const [name, values] of lists)
    fields.set(name, values.length === 1 ? (values[0] ?? '') : values);
  return fields;
}

function withoutTags(text: string): string {
  if (!HTML.test(text)) return text;
  const lines = textBlocks(parseHtml(text)).flatMap((block) =>
    block.kind === 'table'
      ? [block.header ?? [], ...block.rows.map(({ cells }) => cells)].flat()
      : block.text,
  );
  return lines.join(' ');
}
