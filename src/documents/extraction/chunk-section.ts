import { split } from 'llm-splitter';

/** Characters in which sentences are looked for at once. */
const WINDOW = 4000;

// A Han, Hiragana or Katakana character counts as a word; so does every hundred characters of
// something endless.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,100}/gu;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

const words = (text: string): string[] => text.match(WORD) ?? [];

/**
 * Packs whole paragraphs, and whole sentences of long ones, into chunks.
 *
 * @param limits words to a chunk, and how many of them the next one repeats
 */
export function chunkSection(
  section: string,
  limits: { chunkSize: number; chunkOverlap: number },
): string[] {
  if (section.trim() === '') return [];
  const { chunkSize, chunkOverlap } = limits;
  return split(units(section, chunkSize), {
    splitter: words,
    chunkSize,
    chunkOverlap,
    chunkStrategy: 'paragraph',
  })
    .map(({ start, end }) => section.slice(start, end).trim())
    .filter((chunk) => chunk !== '');
}

/** What should stay in one piece. The units are the section, cut, so offsets stay the same. */
function units(section: string, chunkSize: number): string[] {
  return section
    .split(/(?<=\n[^\S\n]*\n)/)
    .flatMap((paragraph) =>
      words(paragraph).length <= chunkSize
        ? [paragraph]
        : windows(paragraph).flatMap((window) =>
            Array.from(sentences.segment(window), ({ segment }) => segment),
          ),
    );
}

/** Looking for sentences takes longer than in proportion to the text, so it gets a bit at a time. */
function windows(paragraph: string): string[] {
  const cut: string[] = [];
  for (let start = 0; start < paragraph.length;) {
    const rough = start + WINDOW;
    const space = rough < paragraph.length ? paragraph.lastIndexOf(' ', rough) : -1;
    const end = space > start ? space + 1 : rough + (isLowSurrogate(paragraph, rough) ? 1 : 0);
    cut.push(paragraph.slice(start, end));
    start = end;
  }
  return cut;
}

const isLowSurrogate = (text: string, index: number) => /^[\udc00-\udfff]/.test(text.charAt(index));
