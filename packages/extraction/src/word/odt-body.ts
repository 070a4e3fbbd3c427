import { appendCode } from '../append-code.js';
import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { raiseText } from '../characters/raised-text.js';
import { readSymbols } from '../characters/symbol-fonts.js';
import { isMonospaced } from '../code-by-font.js';
import { newPicturePlace } from '../recognition/picture-places.js';
import { tidy, tidyLines } from '../tidy.js';
import { ODT_LEFT_OUT } from './left-out.js';
import type { OpenDocumentChart } from './open-document-charts.js';
import type { OdtStyles } from './odt-styles.js';
import { OdtTables } from './odt-tables.js';

const MAX_LEVEL = 10;
const MAX_SPACES = 100;

interface Paragraph {
  text: string;
  style: string | undefined;
  headingLevel: number | undefined;
  hasPlainText: boolean;
  hasBoldText: boolean;
  /** Whether the paragraph has text in a monospaced font, and in others. */
  hasMonospaced: boolean;
  hasProportional: boolean;
  hasPageNumber: boolean;
  readonly inside: Block[];
}

/** The objects that the document refers to. */
export interface OdtObjects {
  /** Finds a formula, as LaTeX; undefined for other objects. */
  readonly formulaAt: (reference: string) => string | undefined;
  /** Finds a chart; undefined for other objects. */
  readonly chartAt: (reference: string) => OpenDocumentChart | undefined;
}

interface Flow {
  readonly blocks: Block[];
  paragraph: Paragraph | undefined;
}

interface List {
  readonly style: string | undefined;
  /** The last number; lists that continue each other share it. */
  readonly counter: { number: number };
  /** Whether the marker of the item was already written. */
  isMarked: boolean;
}

/** Reads the elements of an OpenDocument text into blocks. */
export class OdtBody implements XmlHandler {
  readonly blocks: Block[] = [];
  readonly bold = new Set<Block>();
  /** The parts of pictures, by their placeholder blocks. */
  readonly pictures = new Map<Block, string>();
  /** Placeholders of pictures in cells, which are put behind the table. */
  private waiting: Block[] = [];
  private readonly flows: Flow[] = [{ blocks: this.blocks, paragraph: undefined }];
  private readonly lists: List[] = [];
  /** The counters of lists by their ids, and of the last list at each depth. */
  private readonly counters = new Map<string, List['counter']>();
  private readonly lastCounters: List['counter'][] = [];
  /** The text of paragraphs in a monospaced font, with its spaces. */
  readonly monospaced = new Map<Block, string>();
  /** Blocks that were displayed with a page number. */
  readonly numbered = new Set<Block>();
  hasHiddenText = false;
  /** The kinds of objects that cannot be read: `chart`, `embedded object`. */
  readonly unread = new Set<string>();
  private readonly tables = new OdtTables();
  private readonly spans: (string | undefined)[] = [];
  private readonly headingNumbers: number[] = [];
  private leftOut = 0;
  private inBody = false;

  constructor(
    private readonly styles: OdtStyles,
    private readonly objects?: OdtObjects,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (name === 'body') this.inBody = true;
    if (!this.inBody) return;
    if (this.leftOut > 0 || ODT_LEFT_OUT.has(name)) this.leaveOut(name);
    else if (name === 'section' && attribute(attributes, 'display') === 'none') {
      this.leaveOut('hidden-text');
    } else this.openElement(name, attributes);
  }

  private leaveOut(name: string): void {
    if (this.leftOut++ > 0) return;
    if (name === 'hidden-text') this.hasHiddenText = true;
    const { paragraph } = this.flow;
    if (paragraph && (name === 'page-number' || name === 'page-count')) {
      paragraph.hasPageNumber = true;
    }
  }

  text(text: string): void {
    const { paragraph } = this.flow;
    if (!paragraph || this.leftOut > 0) return;
    const isBlank = text.trim() === '';
    const styles = [paragraph.style, ...this.spans];
    if (styles.some((style) => this.styles.isHidden(style))) {
      this.hasHiddenText ||= !isBlank;
      return;
    }
    const font = findLast(styles, (style) => this.styles.getFont(style));
    const position = findLast(styles, (style) => this.styles.getPosition(style));
    const shown = readSymbols(text, font);
    paragraph.text += raiseText(shown, position === 'baseline' ? undefined : position);
    if (isBlank) return;
    const style = this.spans.findLast((name) => name !== undefined) ?? paragraph.style;
    if (this.styles.isBold(style)) paragraph.hasBoldText = true;
    else paragraph.hasPlainText = true;
    if (isMonospaced(font)) paragraph.hasMonospaced = true;
    else paragraph.hasProportional = true;
  }

  close(name: string): void {
    if (!this.inBody) return;
    if (this.leftOut > 0) {
      this.leftOut--;
      return;
    }
    switch (name) {
      case 'p':
      case 'h':
        this.closeParagraph();
        break;
      case 'span':
        this.spans.pop();
        break;
      case 'list':
        this.lists.pop();
        break;
      case 'note-body':
      case 'text-box':
        this.closeInside(name === 'note-body');
        break;
      case 'table-header-rows':
        this.tables.closeHeader();
        break;
      case 'table-cell':
        this.closeCell();
        break;
      case 'table-row':
        this.tables.closeRow();
        break;
      case 'table':
        this.closeTable();
        break;
    }
  }

  private get flow(): Flow {
    return this.flows[this.flows.length - 1] ?? { blocks: this.blocks, paragraph: undefined };
  }

  private openElement(name: string, attributes: Attributes): void {
    const style = attribute(attributes, 'style-name');
    switch (name) {
      case 'p':
      case 'h':
        this.flow.paragraph = {
          text: '',
          style,
          headingLevel: name === 'h' ? parseLevel(attributes) : undefined,
          hasPlainText: false,
          hasBoldText: false,
          hasMonospaced: false,
          hasProportional: false,
          hasPageNumber: false,
          inside: [],
        };
        break;
      case 'span':
        this.spans.push(style);
        break;
      case 's':
        this.append(' '.repeat(Math.min(Number(attribute(attributes, 'c') ?? 1) || 1, MAX_SPACES)));
        break;
      case 'tab':
        this.append('\t');
        break;
      case 'line-break':
        this.append('\n');
        break;
      case 'object':
        this.addObject(attribute(attributes, 'href') ?? '');
        break;
      case 'image':
        this.addPicture(attribute(attributes, 'href'));
        break;
      case 'list':
        this.openList(style, attributes);
        break;
      case 'list-item':
        this.openItem(attributes);
        break;
      case 'note-body':
      case 'text-box':
        this.flows.push({ blocks: [], paragraph: undefined });
        break;
      case 'table':
        this.tables.open();
        break;
      case 'table-header-rows':
        this.tables.openHeader();
        break;
      case 'table-row':
        this.tables.openRow();
        break;
      case 'table-cell':
        this.tables.openCell(attributes);
        this.flows.push({ blocks: [], paragraph: undefined });
        break;
    }
  }

  private append(text: string): void {
    const { paragraph } = this.flow;
    if (paragraph) paragraph.text += text;
  }

  private addObject(reference: string): void {
    const latex = this.objects?.formulaAt(reference);
    if (latex !== undefined) this.addFormula(latex);
    const chart = this.objects?.chartAt(reference);
    if (!chart) {
      if (this.objects && latex === undefined) this.unread.add('embedded object');
      return;
    }
    if (chart.isUnread) this.unread.add('chart');
    const into = this.tables.isOpen
      ? this.waiting
      : (this.flow.paragraph?.inside ?? this.flow.blocks);
    for (const block of chart.blocks) into.push(block);
  }

  private addFormula(latex: string): void {
    if (this.flow.paragraph) this.append(latex);
    else this.flow.blocks.push({ kind: 'paragraph', text: latex });
  }

  private addPicture(part: string | undefined): void {
    if (part === undefined) return;
    const place = newPicturePlace();
    this.pictures.set(place, part);
    if (this.tables.isOpen) this.waiting.push(place);
    else (this.flow.paragraph?.inside ?? this.flow.blocks).push(place);
  }

  /** Opens a list, which may continue the last one or one that it names. */
  private openList(style: string | undefined, attributes: Attributes): void {
    const depth = this.lists.length;
    const own = style ?? this.lists[depth - 1]?.style;
    const id = attribute(attributes, 'id');
    const before =
      this.counters.get(attribute(attributes, 'continue-list') ?? '') ??
      (attribute(attributes, 'continue-numbering') === 'true'
        ? this.lastCounters[depth]
        : undefined);
    const counter = before ?? { number: this.styles.getStart(own, depth + 1) - 1 };
    this.lastCounters[depth] = counter;
    if (id !== undefined) this.counters.set(id, counter);
    this.lists.push({ style: own, counter, isMarked: true });
  }

  private openItem(attributes: Attributes): void {
    const list = this.lists[this.lists.length - 1];
    if (!list) return;
    const start = attribute(attributes, 'start-value');
    const { counter } = list;
    counter.number = start === undefined ? counter.number + 1 : Number(start);
    list.isMarked = false;
  }

  private closeParagraph(): void {
    const { flow } = this;
    const { paragraph } = flow;
    if (!paragraph) return;
    flow.paragraph = undefined;
    const block = this.toBlock(paragraph, flow.blocks);
    if (block) {
      flow.blocks.push(block);
      if (paragraph.hasBoldText && !paragraph.hasPlainText) this.bold.add(block);
      if (paragraph.hasPageNumber) this.numbered.add(block);
      if (block.kind === 'paragraph' && paragraph.hasMonospaced && !paragraph.hasProportional)
        this.monospaced.set(block, paragraph.text);
    }
    flow.blocks.push(...paragraph.inside);
  }

  private toBlock(paragraph: Paragraph, blocks: Block[]): Block | undefined {
    const { style, headingLevel } = paragraph;
    if (this.styles.isCalled(style, /preformatted|\bcode\b/i)) {
      return appendCode(paragraph.text, blocks);
    }
    const text = tidyLines(paragraph.text);
    if (text === '') return undefined;
    if (headingLevel !== undefined) return this.toHeading(text, headingLevel);
    if (this.styles.isCalled(style, /^title$/i)) return { kind: 'heading', level: 1, text };
    const list = this.lists[this.lists.length - 1];
    if (list && !list.isMarked && this.flows.length === 1) {
      list.isMarked = true;
      const marker = this.styles.getMarker(
        list.style,
        this.lists.map(({ counter }) => counter.number),
      );
      return { kind: 'list-item', depth: this.lists.length - 1, marker, text };
    }
    return { kind: this.styles.isCalled(style, /^caption$/i) ? 'caption' : 'paragraph', text };
  }

  private toHeading(text: string, level: number): Block {
    this.headingNumbers[level - 1] = (this.headingNumbers[level - 1] ?? 0) + 1;
    this.headingNumbers.length = level;
    const numbers = Array.from({ length: level }, (_, index) => this.headingNumbers[index] ?? 1);
    return { kind: 'heading', level, text: tidy(`${this.styles.headingNumber(numbers)} ${text}`) };
  }

  private closeInside(isNote: boolean): void {
    const { blocks } = this.flow;
    this.flows.pop();
    const into = this.flow.paragraph?.inside ?? this.flow.blocks;
    if (isNote) {
      const text = blocks.map((block) => ('text' in block ? block.text : '')).join(' ');
      if (text !== '') into.push({ kind: 'note', text });
    } else into.push(...blocks);
  }

  private closeTable(): void {
    this.flow.blocks.push(...this.tables.close());
    if (this.tables.isOpen) return;
    this.flow.blocks.push(...this.waiting);
    this.waiting = [];
  }

  private closeCell(): void {
    const { blocks } = this.flow;
    this.flows.pop();
    const isBold = blocks.length > 0 && blocks.every((block) => this.bold.has(block));
    this.tables.closeCell(blocks, isBold);
  }
}

const parseLevel = (attributes: Attributes): number =>
  Math.min(Math.max(Math.trunc(Number(attribute(attributes, 'outline-level'))) || 1, 1), MAX_LEVEL);

/** The value of the innermost style that has one. */
function findLast<T>(
  styles: readonly (string | undefined)[],
  of: (style: string | undefined) => T | undefined,
): T | undefined {
  for (let at = styles.length - 1; at >= 0; at--) {
    const found = of(styles[at]);
    if (found !== undefined) return found;
  }
  return undefined;
}
