import { Archive } from './archive/archive.js';
import {
  findMainPart,
  createPartLoader,
  type Relationship,
  readRelationships,
} from './archive/relationships.js';
import { attribute, readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { withPictures } from './recognition/picture-places.js';
import { type DrawingPart, readDrawingPart } from './slides/drawing-part.js';
import { Slide } from './slides/slide.js';
import { Unreadable } from './unreadable.js';

/** Reads the slides of a PPTX in their order: each a heading, its text, tables and notes. */
export async function readPptx(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const archive = await Archive.open(content, context);
  const blocks: Block[] = [];
  let number = 0;
  for (const part of await listSlides(archive)) {
    number++;
    const locator = { slide: number };
    try {
      for (const block of await readSlide(archive, part, number, context))
        blocks.push({ ...block, locator });
    } catch (error) {
      if (error instanceof Unreadable && error.code === 'too_large') throw error;
      context.warn({ code: 'slide_unreadable', message: `Slide ${number} could not be read.` });
    }
    context.progress();
  }
  if (number === 0) throw new Unreadable('no_text_extracted', 'The presentation has no slides.');
  return blocks;
}

/** The parts of the slides, in the order of the presentation. */
async function listSlides(archive: Archive): Promise<string[]> {
  const main = await findMainPart(archive, 'ppt/presentation.xml');
  const targets = new Map<string, string>();
  for (const { id, type, target } of await readRelationships(archive, main)) {
    if (type === 'slide') targets.set(id, target);
  }
  const slides: string[] = [];
  await readXml(archive.read(main), {
    open(name, attributes) {
      if (name !== 'sldId') return;
      // The slide's own id has no prefix; the relationship id has one.
      const { id: _, ...others } = attributes;
      const target = targets.get(attribute(others, 'id') ?? '');
      if (target !== undefined) slides.push(target);
    },
  });
  // A damaged file may name a part many times, but a presentation contains each slide once.
  return [...new Set(slides)];
}

async function readSlide(
  archive: Archive,
  part: string,
  number: number,
  context: ReadingContext,
): Promise<Block[]> {
  const slide = new Slide();
  await readXml(archive.read(part), slide);
  if (slide.isHidden) {
    context.warn({ code: 'hidden_left_out', what: `slide ${number}` });
    return [];
  }
  const relationships = await readRelationships(archive, part);
  const diagrams = await readDrawings(archive, relationships, 'diagramData', 'SmartArt', context);
  const charts = await readDrawings(archive, relationships, 'chart', 'chart', context);
  // Chart types added in PowerPoint 2016, such as waterfalls, cannot be read.
  if (relationships.some(({ type }) => type === 'chartEx'))
    context.warn({ code: 'not_read', what: 'chart' });
  const notes = await readNotes(archive, relationships);
  const loadPicture = createPartLoader(archive, relationships);
  const blocks = await withPictures(slide.blocks, slide.pictures, loadPicture, context);
  const texts = [...blocks, ...diagrams, ...charts];
  if (slide.title === '' && texts.length === 0 && notes.length === 0) return [];
  const title: Block = { kind: 'heading', level: 1, text: slide.title || `Slide ${number}` };
  return [title, ...texts, ...notes.map(asNote)];
}

async function readDrawings(
  archive: Archive,
  relationships: readonly Relationship[],
  wanted: string,
  what: DrawingPart['what'],
  context: ReadingContext,
): Promise<Block[]> {
  const all: Block[] = [];
  for (const { type, target } of relationships) {
    if (type !== wanted || !archive.has(target)) continue;
    const { blocks, isUnread } = await readDrawingPart(archive, target, what);
    if (isUnread) context.warn({ code: 'not_read', what });
    all.push(...blocks);
  }
  return all;
}

async function readNotes(
  archive: Archive,
  relationships: readonly Relationship[],
): Promise<Block[]> {
  const all: Block[] = [];
  for (const { type, target } of relationships) {
    if (type !== 'notesSlide' || !archive.has(target)) continue;
    const notes = new Slide('body');
    await readXml(archive.read(target), notes);
    all.push(...notes.blocks);
  }
  return all;
}

const asNote = (block: Block): Block =>
  block.kind === 'paragraph' ? { ...block, kind: 'note' } : block;
