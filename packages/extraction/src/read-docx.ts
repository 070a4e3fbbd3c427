import { Archive } from './archive/archive.js';
import { findMainPart, createPartLoader, readRelationships } from './archive/relationships.js';
import { attribute, readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { withMonospacedCode } from './code-by-font.js';
import { withPictures } from './recognition/picture-places.js';
import { Unreadable } from './unreadable.js';
import { WordBody } from './word/body.js';
import { withParts } from './word/document-parts.js';
import { type ChunkBudget, newChunkBudget } from './word/embedded-chunks.js';
import { ListNumbering } from './word/numbering.js';
import { toMarginBlocks } from './word/page-margins.js';
import { readParagraphStyles } from './word/styles.js';

/** The number of header and footer parts that are read. */
const MAX_MARGINS = 50;

/** Reads a DOCX: headings by their styles, lists, tables, notes, text boxes, headers and footers. */
export function readDocx(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  return readWithin(content, context, newChunkBudget());
}

async function readWithin(
  content: Uint8Array,
  context: ReadingContext,
  chunks: ChunkBudget,
): Promise<Block[]> {
  const archive = await Archive.open(content, context);
  const main = await findMainPart(archive, 'word/document.xml');
  const relationships = await readRelationships(archive, main);
  const parts = new Map(relationships.map(({ type, target }) => [type, target]));
  const findPart = (type: string) => parts.get(type) ?? `word/${type}.xml`;
  const styles = await readOptional(context, 'styles', () =>
    readParagraphStyles(archive, findPart('styles')),
  );
  const numbering = await readOptional(context, 'list numbers', () =>
    ListNumbering.read(archive, findPart('numbering')),
  );
  const notes = new Map<string, string>();
  for (const kind of ['footnote', 'endnote']) {
    await readOptional(context, `${kind}s`, () =>
      readNotes(archive, findPart(`${kind}s`), kind, notes),
    );
  }
  const newBody = () =>
    new WordBody({
      styles: styles ?? new Map(),
      numbering: numbering ?? new ListNumbering(),
      notes,
    });
  const body = newBody();
  await readXml(archive.read(main), body);
  if (body.hasHiddenText) context.warn({ code: 'hidden_left_out', what: 'hidden text' });
  const said = new Set(body.blocks.map((block) => ('text' in block ? block.text : '')));
  const margins = async (type: string) => {
    const bodies: WordBody[] = [];
    const wanted = relationships.filter((relationship) => relationship.type === type);
    for (const { target } of wanted.slice(0, MAX_MARGINS)) {
      if (!archive.has(target)) continue;
      const margin = newBody();
      await readOptional(context, `${type}s`, () => readXml(archive.read(target), margin));
      bodies.push(margin);
    }
    return toMarginBlocks(bodies, said);
  };
  const pictured = await withPictures(
    withMonospacedCode(body.blocks, body.monospaced),
    body.pictures,
    createPartLoader(archive, relationships),
    context,
  );
  const sources = {
    archive,
    targets: new Map(relationships.map(({ id, target }) => [id, target])),
    chunks,
    readDocx: (bytes: Uint8Array, within: ReadingContext) => readWithin(bytes, within, chunks),
  };
  const blocks = await withParts(pictured, body.parts, sources, context);
  return [
    ...(await margins('header')),
    ...withBoldHeadings(blocks, body.bold),
    ...(await margins('footer')),
  ];
}

/** Reads a part that the text does not depend on. */
async function readOptional<T>(
  context: ReadingContext,
  what: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unreadable && error.code === 'too_large') throw error;
    context.warn({ code: 'part_unreadable', message: `The ${what} could not be read.` });
    return undefined;
  }
}

async function readNotes(
  archive: Archive,
  part: string,
  kind: string,
  notes: Map<string, string>,
): Promise<void> {
  if (!archive.has(part)) return;
  let body: WordBody | undefined;
  let id = '';
  await readXml(archive.read(part), {
    open(name, attributes) {
      if (name !== kind) {
        body?.open(name, attributes);
        return;
      }
      id = attribute(attributes, 'id') ?? '';
      // The separators between text and notes are stored as notes with a type.
      if (attribute(attributes, 'type') !== undefined) return;
      body = new WordBody({ styles: new Map(), numbering: new ListNumbering(), notes: new Map() });
    },
    text: (text) => body?.text(text),
    close(name) {
      if (name !== kind) {
        body?.close(name);
        return;
      }
      const texts = body?.blocks.map((block) => ('text' in block ? block.text : '')) ?? [];
      notes.set(`${kind}${id}`, texts.join(' ').trim());
      body = undefined;
    },
  });
}
