import type { Block } from '../block.js';
import { mathmlToLatex } from '../formulas/mathml-to-latex.js';
import { raisedMark, type TextPosition } from '../characters/raised-text.js';
import { isSymbolFont, readSymbols } from '../characters/symbol-fonts.js';
import { newPicturePlace } from '../recognition/picture-places.js';
import { type SpannedRow, toTableBlocks } from '../table-layout.js';
import { tidy, tidyCode, tidyLines } from '../tidy.js';
import { BULLET } from '../word/numbering.js';
import { BLOCKS, isCitation, measureLinkShare, getCode, getText } from './element-text.js';
import { isLeftOut } from './leave-out.js';
import { numberItems } from './item-markers.js';
import {
  type ChildNode,
  type Document,
  type Element,
  listElements,
  isElement,
  isText,
} from './parse-html.js';

const HEADING = /^h[1-6]$/;
/** The link of a heading to itself. */
const PERMALINK = /^[#¶§\u{1f517}\s\u200b]*$/u;
const MAX_TERM = 100;
/** Sphinx wraps a table of contents, or the chapters themselves, in this class. */
const CONTENTS = /(?:^|\s)toctree-wrapper(?:\s|$)/;

const isContents = ({ attribs }: Element) => CONTENTS.test(attribs['class'] ?? '');

const isCheckbox = ({ name, attribs }: Element) =>
  name === 'input' && attribs['type']?.toLowerCase() === 'checkbox';

/** Takes the LaTeX that most programs store beside the MathML made from it, or converts the MathML. */
function readFormula(math: Element): string {
  const source = listElements(math).find(
    ({ name, attribs }) =>
      name === 'annotation' &&
      /^(?:application\/x-tex|latex|tex)$/i.test(attribs['encoding'] ?? ''),
  );
  const latex = source ? tidy(getText(source)) : mathmlToLatex(math);
  return latex === '' ? '' : `$${latex}$`;
}

const VERTICAL_ALIGN = /(?:^|;)\s*vertical-align\s*:\s*(super|sub)\b/i;
const FONT_FAMILY = /(?:^|;)\s*font-family\s*:\s*([^;]{1,100})/i;

/** Whether the text of an element is raised or lowered. */
function readPosition({ name, attribs }: Element): TextPosition | undefined {
  if (name === 'sup') return 'super';
  if (name === 'sub') return 'sub';
  const style = VERTICAL_ALIGN.exec(attribs['style'] ?? '')?.[1];
  return style?.toLowerCase() as TextPosition | undefined;
}

/** The font that an element names. */
const readFont = ({ name, attribs }: Element): string | undefined =>
  FONT_FAMILY.exec(attribs['style'] ?? '')?.[1] ?? (name === 'font' ? attribs['face'] : undefined);

/** Blocks of HTML; `bold` has the paragraphs that are entirely bold. */
export interface WalkedHtml {
  readonly blocks: Block[];
  readonly bold: ReadonlySet<Block>;
  /** The sources of pictures, by their placeholder blocks. */
  readonly pictures: ReadonlyMap<Block, string>;
}

/** Reads all of a part of a page into blocks. */
export function walkHtml(root: Document | Element): WalkedHtml {
  const walk = new Walk();
  walk.visitChildren(root);
  walk.flush();
  return walk;
}

/** The blocks without the placeholders of pictures. */
export function textBlocks(root: Document | Element): Block[] {
  const { blocks, pictures } = walkHtml(root);
  return blocks.filter((block) => !pictures.has(block));
}

class Walk implements WalkedHtml {
  readonly blocks: Block[] = [];
  readonly bold = new Set<Block>();
  readonly pictures = new Map<Block, string>();
  /** Placeholders of pictures in the open paragraph, written behind it. */
  private waiting: Block[] = [];
  private text = '';
  private hasPlainText = false;
  private hasBoldText = false;
  private boldDepth = 0;
  /** A font of symbols that the text is set in. */
  private symbolFont: string | undefined;
  private listDepth = -1;
  /** The marker of a list item whose text has not begun. */
  private marker: string | undefined;
  private kind: 'paragraph' | 'caption' = 'paragraph';

  visitChildren(node: Document | Element): void {
    for (const child of node.children) this.visit(child);
  }

  /** Ends the paragraph. */
  flush(): void {
    const text = tidyLines(this.text);
    const isBold = this.hasBoldText && !this.hasPlainText;
    this.text = '';
    this.hasBoldText = this.hasPlainText = false;
    if (text !== '') this.push(text, isBold);
    this.blocks.push(...this.waiting);
    this.waiting = [];
  }

  private push(text: string, isBold: boolean): void {
    const { marker } = this;
    const block: Block =
      marker !== undefined
        ? { kind: 'list-item', depth: Math.max(0, this.listDepth), marker, text }
        : { kind: this.kind, text };
    this.marker = undefined;
    this.blocks.push(block);
    if (isBold && block.kind === 'paragraph') this.bold.add(block);
  }

  private visit(node: ChildNode): void {
    if (isElement(node)) {
      // A checkbox outside of a list item is a control of the page.
      if (this.marker !== undefined && isCheckbox(node))
        this.text += node.attribs['checked'] === undefined ? '☐ ' : '☒ ';
      if (isLeftOut(node)) {
        this.addPicture(node);
        return;
      }
      if (node.name === 'math') {
        this.text += readFormula(node);
        this.hasPlainText = true;
      } else this.visitElement(node);
      return;
    }
    if (!isText(node)) return;
    // A line break in the source is a space.
    this.text += readSymbols(node.data, this.symbolFont).replace(/\s+/g, ' ');
    if (node.data.trim() === '') return;
    if (this.boldDepth > 0) this.hasBoldText = true;
    else this.hasPlainText = true;
  }

  /** Puts a placeholder for a picture behind the paragraph that contains it. */
  private addPicture(element: Element): void {
    if (!/^(?:img|picture|svg)$/.test(element.name)) return;
    const image = [element, ...listElements(element)].find(
      ({ name }) => name === 'img' || name === 'image',
    );
    const { src, 'xlink:href': link, href } = image?.attribs ?? {};
    const source = src ?? link ?? href;
    if (!source) return;
    const place = newPicturePlace();
    this.pictures.set(place, source);
    this.waiting.push(place);
  }

  /** Takes over the blocks of a nested part, and moves its pictures behind it. */
  private takeNested(walked: WalkedHtml): WalkedHtml {
    for (const [place, source] of walked.pictures) {
      this.pictures.set(place, source);
      this.waiting.push(place);
    }
    const blocks = walked.blocks.filter((block) => !walked.pictures.has(block));
    return { ...walked, blocks };
  }

  private visitElement(element: Element): void {
    const { name } = element;
    if (HEADING.test(name)) this.addHeading(element, Number(name.charAt(1)));
    else if (name === 'br') this.text += '\n';
    else if (name === 'pre' || name === 'listing' || name === 'xmp') this.addCode(element);
    else if (name === 'table') this.addTable(element);
    else if (name === 'ul' || name === 'ol' || name === 'menu') this.addList(element);
    else if (name === 'dl') this.addDefinitions(element);
    else if (name === 'aside' || name === 'footer' || isContents(element)) this.addAside(element);
    else if (name === 'figcaption' || name === 'caption') this.addCaption(element);
    else if (name === 'b' || name === 'strong') this.visitBold(element);
    else if (BLOCKS.has(name)) this.visitBlock(element);
    else if (!isCitation(element)) this.visitInline(element);
  }

  private visitInline(element: Element): void {
    const { symbolFont } = this;
    const font = readFont(element);
    if (font !== undefined) this.symbolFont = isSymbolFont(font) ? font : undefined;
    const position = readPosition(element);
    if (position) this.text += raisedMark(position, true);
    this.visitChildren(element);
    if (position) this.text += raisedMark(position, false);
    this.symbolFont = symbolFont;
  }

  private visitBlock(element: Element): void {
    this.flush();
    this.visitChildren(element);
    this.flush();
  }

  private visitBold(element: Element): void {
    this.boldDepth++;
    this.visitChildren(element);
    this.boldDepth--;
  }

  private addHeading(element: Element, level: number): void {
    this.flush();
    const inside = new Walk();
    for (const child of element.children) {
      const isLink = isElement(child) && child.name === 'a' && PERMALINK.test(getText(child));
      if (!isLink) inside.visit(child);
    }
    inside.flush();
    const { blocks } = this.takeNested(inside);
    const text = tidy(blocks.map((block) => ('text' in block ? block.text : '')).join(' '));
    if (text !== '') this.blocks.push({ kind: 'heading', level, text });
    this.flush();
    this.marker = undefined;
  }

  private addCode(element: Element): void {
    this.flush();
    const text = tidyCode(getCode(element));
    if (text !== '') this.blocks.push({ kind: 'code', text });
    this.marker = undefined;
  }

  private addCaption(element: Element): void {
    this.flush();
    this.kind = 'caption';
    this.visitChildren(element);
    this.flush();
    this.kind = 'paragraph';
  }

  /** Keeps an aside with text, such as a note in a manual, and leaves out one that consists of links. */
  private addAside(element: Element): void {
    if (element.name === 'footer' || measureLinkShare(element) > 0.5) return;
    this.visitBlock(element);
  }

  private addList(element: Element): void {
    this.flush();
    this.listDepth++;
    const markers = numberItems(element);
    for (const child of element.children) {
      if (!isElement(child) || child.name !== 'li') {
        this.visit(child);
        continue;
      }
      if (isLeftOut(child)) continue;
      this.flush();
      this.marker = markers.get(child) ?? BULLET;
      this.visitChildren(child);
      this.flush();
    }
    this.flush();
    this.listDepth--;
    this.marker = undefined;
  }

  /** A short term stands with its definition, a long one, such as a signature, by itself. */
  private addDefinitions(element: Element): void {
    this.flush();
    let term = '';
    const writeTerm = () => {
      if (term !== '') this.blocks.push({ kind: 'paragraph', text: term });
      term = '';
    };
    for (const child of element.children) {
      if (!isElement(child) || isLeftOut(child)) continue;
      const { blocks, bold } = this.takeNested(walkHtml(child));
      if (child.name === 'dt') {
        writeTerm();
        term = tidy(blocks.map((block) => ('text' in block ? block.text : '')).join(' '));
        continue;
      }
      const [first] = blocks;
      const isShort =
        child.name === 'dd' && term !== '' && term.length <= MAX_TERM && blocks.length === 1;
      if (isShort && first?.kind === 'paragraph') {
        const text = `${term.replace(/:$/, '')}: ${first.text}`;
        this.blocks.push({
          kind: 'list-item',
          depth: this.listDepth + 1,
          marker: BULLET,
          text,
        });
        term = '';
        continue;
      }
      writeTerm();
      for (const block of blocks) {
        this.blocks.push(block);
        if (bold.has(block)) this.bold.add(block);
      }
    }
    writeTerm();
    this.flush();
  }

  private addTable(element: Element): void {
    this.flush();
    const rows: SpannedRow[] = [];
    const addRows = (parent: Element, isHeader: boolean) => {
      for (const child of parent.children) {
        if (!isElement(child) || isLeftOut(child)) continue;
        if (child.name === 'tr') rows.push(this.toRow(child, isHeader));
        else if (child.name === 'caption') this.addCaption(child);
        else if (child.name !== 'colgroup') addRows(child, child.name === 'thead');
      }
    };
    addRows(element, false);
    for (const block of toTableBlocks(rows)) this.blocks.push(block);
    this.flush();
    this.marker = undefined;
  }

  private toRow(element: Element, isHeader: boolean): SpannedRow {
    const cells = element.children.filter(isElement).filter((cell) => !isLeftOut(cell));
    return {
      isHeader,
      cells: cells.map((cell) => {
        const { blocks, bold } = this.takeNested(walkHtml(cell));
        for (const block of bold) this.bold.add(block);
        return {
          blocks,
          colSpan: Number(cell.attribs['colspan']) || 1,
          rowSpan: Number(cell.attribs['rowspan']) || 1,
          isHeader: cell.name === 'th',
        };
      }),
    };
  }
}
