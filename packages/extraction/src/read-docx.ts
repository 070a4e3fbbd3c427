import { Archive } from './archive/archive.js';
import { mainPartOf, partReader, relationshipsOf } from './archive/relationships.js';
import { attribute, readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { withPictures } from './recognition/picture-places.js';
import { Unreadable } from './unreadable.js';
import { WordBody } from './word/body.js';
import { ListNumbering } from './word/numbering.js';
import { paragraphStylesOf } from './word/styles.js';

/** Reads the body of a DOCX: headings by their styles, lists, tables, notes and text boxes. */
export async function readDocx(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const archive = await Archive.open(content, context);
  const main = await mainPartOf(archive, 'word/document.xml');
  const relationships = await relationshipsOf(archive, main);
  const parts = new Map(relationships.map(({ type, target }) => [type, target]));
  const partOf = (type: string) => parts.get(type) ?? `word/${type}.xml`;
  const styles = await optional(context, 'styles', () =>
    paragraphStylesOf(archive, partOf('styles')),
  );
  const numbering = await optional(context, 'list numbers', () =>
    ListNumbering.read(archive, partOf('numbering')),
  );
  const notes = new Map<string, string>();
  for (const kind of ['footnote', 'endnote']) {
    await optional(context, `${kind}s`, () => readNotes(archive, partOf(`${kind}s`), kind, notes));
  }
  const body = new WordBody({
    styles: styles ?? new Map(),
    numbering: numbering ?? new ListNumbering(),
    notes,
  });
  await readXml(archive.read(main), body);
  const blocks = await withPictures(
    body.blocks,
    body.pictures,
    partReader(archive, relationships),
    context,
  );
  return withBoldHeadings(blocks, body.bold);
}

/** Reads a part without which the text can still be read. */
async function optional<T>(
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
      // The lines that part notes from the text are notes too, with a type.
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
