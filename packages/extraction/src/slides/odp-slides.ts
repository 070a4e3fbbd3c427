import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { tidy } from '../tidy.js';
import { type SlideBox, inReadingOrder, type Placed } from './reading-order.js';
import { OdtBody, type OdtObjects } from '../word/odt-body.js';
import type { OdtStyles } from '../word/odt-styles.js';

/** Placeholders that every slide has, such as its number. */
const LEFT_OUT = new Set(['date-time', 'footer', 'header', 'page-thumbnail']);

/** Elements with their own position, including those within a group. */
const PLACED = new Set([
  ...['frame', 'custom-shape', 'rect', 'ellipse', 'circle', 'caption', 'connector', 'line'],
  ...['polyline', 'polygon', 'path', 'regular-polygon', 'measure'],
]);
/** Points in each unit of length. */
const POINTS: Readonly<Record<string, number>> = {
  ...{ cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1, pc: 12, px: 0.75 },
};

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
  /** The index of the first block of the open title or notes. */
  private titleStart: number | undefined;
  private notesStart: number | undefined;
  private shapes: Shape[] = [];
  /** The outermost open shape, and the number of open shapes. */
  private shape: { readonly box: SlideBox | undefined; readonly start: number } | undefined;
  private depth = 0;

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
      this.shapes = [];
      return;
    }
    if (!this.slide || LEFT_OUT.has(name)) return;
    const { body } = this.slide;
    if (PLACED.has(name) && this.notesStart === undefined && this.depth++ === 0) {
      this.shape = { box: readBox(attributes), start: body.blocks.length };
    }
    if (name === 'notes') this.notesStart = body.blocks.length;
    if (name === 'frame' && attribute(attributes, 'class') === 'title') {
      this.titleStart = body.blocks.length;
    }
    // The paragraphs of a text box belong to the slide.
    if (name !== 'text-box') body.open(name, attributes);
  }

  text(text: string): void {
    this.slide?.body.text(text);
  }

  close(name: string): void {
    const { slide } = this;
    if (name === 'page') {
      if (slide) this.orderShapes(slide.body.blocks);
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
      if (PLACED.has(name) && this.notesStart === undefined && --this.depth === 0 && this.shape) {
        const { box, start } = this.shape;
        const end = body.blocks.length;
        if (end > start) this.shapes.push({ box, start, end });
        this.shape = undefined;
      }
      if (name === 'notes' && this.notesStart !== undefined) {
        const notes = body.blocks.splice(this.notesStart);
        slide.notes = notes.filter((block) => !body.pictures.has(block)).map(asNote);
        this.notesStart = undefined;
      }
    }
  }

  /** Puts the blocks of a slide's shapes into reading order; other blocks follow them. */
  private orderShapes(blocks: Block[]): void {
    const shapes = inReadingOrder(this.shapes, false);
    if (shapes.every((shape, at) => shape === this.shapes[at])) return;
    const ordered = shapes.flatMap(({ start, end }) => blocks.slice(start, end));
    const inShapes = new Set(ordered);
    const others = blocks.filter((block) => !inShapes.has(block));
    blocks.splice(0, blocks.length, ...ordered, ...others);
  }
}

/** The blocks of a shape, as a range of the slide's blocks. */
interface Shape extends Placed {
  readonly start: number;
  readonly end: number;
}

/** The position of a shape, in points; undefined if the file gives none. */
function readBox(attributes: Attributes): SlideBox | undefined {
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => {
    const [, number, unit = ''] =
      /^(-?[\d.]+)([a-z]+)$/.exec(attributes[`svg:${name}`] ?? '') ?? [];
    return Number(number) * (POINTS[unit] ?? NaN);
  });
  const box = { x: x ?? NaN, y: y ?? NaN, width: width ?? NaN, height: height ?? NaN };
  return Object.values(box).every(Number.isFinite) ? box : undefined;
}

const asNote = (block: Block): Block =>
  block.kind === 'paragraph' ? { ...block, kind: 'note' } : block;
