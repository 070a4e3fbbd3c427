import type { Archive } from '../archive/archive.js';
import { readXml } from '../archive/xml.js';
import { tidy } from '../tidy.js';
import { RichText } from './rich-text.js';

/** The texts of a workbook, to which its cells refer by number. */
export async function readSharedStrings(archive: Archive, part: string): Promise<string[]> {
  const texts: string[] = [];
  if (!archive.has(part)) return texts;
  const rich = new RichText();
  let text = '';
  let isText = false;
  /** Whether the reader is within the phonetic guide of a text, which is left out. */
  let inPhonetic = false;
  await readXml(archive.read(part), {
    open(name, attributes) {
      rich.open(name, attributes);
      if (name === 'si') text = '';
      if (name === 'rPh') inPhonetic = true;
      if (name === 't') isText = true;
    },
    text(piece) {
      if (isText && !inPhonetic) text += rich.write(piece);
    },
    close(name) {
      if (name === 't') isText = false;
      if (name === 'rPh') inPhonetic = false;
      if (name === 'si') texts.push(tidy(text));
    },
  });
  return texts;
}
