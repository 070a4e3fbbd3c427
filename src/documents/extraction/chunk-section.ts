import { split } from 'llm-splitter';

/** Words to a chunk, and how many of them the next one repeats. */
const CHUNK_SIZE = 300;
const CHUNK_OVERLAP = 30;

// A Han, Hiragana or Katakana character counts as a word; so does every hundred characters of
// something endless.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,100}/gu;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

const words = (text: string): string[] => text.match(WORD) ?? [];

/** Packs whole paragraphs, and whole sentences of long ones, into chunks. */
export function chunkSection(section: string): string[] {
  if (section.trim() === '') return [];
  return split(units(section), {
    splitter: words,
    chunkSize: CHUNK_SIZE,
    chunkOverlap: CHUNK_OVERLAP,
    chunkStrategy: 'paragraph',
  })
    .map(({ start, end }) => section.slice(start, end).trim())
    .filter((chunk) => chunk !== '');
}

/** What should stay in one piece. The units are the section, cut, so offsets stay the same. */
function units(section: string): string[] {
  return section
    .split(/(?<=\n[^\S\n]*\n)/)
    .flatMap((paragraph) =>
      words(paragraph).length <= CHUNK_SIZE
        ? [paragraph]
        : Array.from(sentences.segment(paragraph), ({ segment }) => segment),
    );
}
