import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { tidy } from '../tidy.js';
import { OdtBody } from '../word/odt-body.js';
import type { OdtStyles } from '../word/odt-styles.js';

/** What stands in places that each slide has, such as its number. */
const LEFT_OUT = new Set(['date-time', 'footer', 'header', 'page-thumbnail']);

/** Reads the pages of an OpenDocument presentation into blocks. */
export class OdpSlides implements XmlHandler {
  readonly blocks: Block[] = [];
  count = 0;
  private body: OdtBody | undefined;
  private title = '';
  /** Where the blocks of the open title and notes begin. */
  private titleStart: number | undefined;
  private notesStart: number | undefined;

  constructor(
    private readonly styles: OdtStyles,
    private readonly progress: () => void,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (name === 'page') {
      this.count++;
      this.title = '';
      this.body = new OdtBody(this.styles);
      this.body.open('body', {});
      return;
    }
    const { body } = this;
    if (!body || LEFT_OUT.has(name)) return;
    if (name === 'notes') this.notesStart = body.blocks.length;
    if (name === 'frame' && attribute(attributes, 'class') === 'title') {
      this.titleStart = body.blocks.length;
    }
    // Its paragraphs are the slide's own.
    if (name !== 'text-box') body.open(name, attributes);
  }

  text(text: string): void {
    this.body?.text(text);
  }

  close(name: string): void {
    const { body } = this;
    if (name === 'page') this.closePage();
    else if (body && name !== 'text-box' && !LEFT_OUT.has(name)) {
      body.close(name);
      if (name === 'frame' && this.titleStart !== undefined) {
        const texts = body.blocks.splice(this.titleStart);
        this.title ||= tidy(texts.map((block) => ('text' in block ? block.text : '')).join(' '));
        this.titleStart = undefined;
      }
      if (name === 'notes' && this.notesStart !== undefined) {
        const notes = body.blocks.splice(this.notesStart);
        body.blocks.push(...notes.map(asNote));
        this.notesStart = undefined;
      }
    }
  }

  private closePage(): void {
    const texts = this.body?.blocks ?? [];
    this.body = undefined;
    this.progress();
    if (this.title === '' && texts.length === 0) return;
    const locator = { slide: this.count };
    const text = this.title || `Slide ${this.count}`;
    this.blocks.push({ kind: 'heading', level: 1, text, locator });
    for (const block of texts) this.blocks.push({ ...block, locator });
  }
}

const asNote = (block: Block): Block =>
  block.kind === 'paragraph' ? { ...block, kind: 'note' } : block;
