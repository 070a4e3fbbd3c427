import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { tidy } from '../tidy.js';
import { OdtBody, type OdtObjects } from '../word/odt-body.js';
import type { OdtStyles } from '../word/odt-styles.js';

/** What stands in places that each slide has, such as its number. */
const LEFT_OUT = new Set(['date-time', 'footer', 'header', 'page-thumbnail']);

interface Slide {
  title: string;
  readonly isHidden: boolean;
  readonly body: OdtBody;
  notes: Block[];
}

/** Reads the pages of an OpenDocument presentation into blocks. */
export class OdpSlides implements XmlHandler {
  readonly slides: Slide[] = [];
  private slide: Slide | undefined;
  /** Where the blocks of the open title and notes begin. */
  private titleStart: number | undefined;
  private notesStart: number | undefined;

  constructor(
    private readonly styles: OdtStyles,
    private readonly objects: OdtObjects,
    private readonly progress: () => void,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (name === 'page') {
      const isHidden = this.styles.isHidden(attribute(attributes, 'style-name'));
      const body = new OdtBody(this.styles, this.objects);
      this.slide = { title: '', isHidden, body, notes: [] };
      this.slides.push(this.slide);
      this.slide.body.open('body', {});
      return;
    }
    if (!this.slide || LEFT_OUT.has(name)) return;
    const { body } = this.slide;
    if (name === 'notes') this.notesStart = body.blocks.length;
    if (name === 'frame' && attribute(attributes, 'class') === 'title') {
      this.titleStart = body.blocks.length;
    }
    // Its paragraphs are the slide's own.
    if (name !== 'text-box') body.open(name, attributes);
  }

  text(text: string): void {
    this.slide?.body.text(text);
  }

  close(name: string): void {
    const { slide } = this;
    if (name === 'page') {
      this.slide = undefined;
      this.progress();
    } else if (slide && name !== 'text-box' && !LEFT_OUT.has(name)) {
      const { body } = slide;
      body.close(name);
      if (name === 'frame' && this.titleStart !== undefined) {
        const texts = body.blocks.splice(this.titleStart);
        slide.title ||= tidy(texts.map((block) => ('text' in block ? block.text : '')).join(' '));
        this.titleStart = undefined;
      }
      if (name === 'notes' && this.notesStart !== undefined) {
        const notes = body.blocks.splice(this.notesStart);
        slide.notes = notes.filter((block) => !body.pictures.has(block)).map(asNote);
        this.notesStart = undefined;
      }
    }
  }
}

const asNote = (block: Block): Block =>
  block.kind === 'paragraph' ? { ...block, kind: 'note' } : block;
