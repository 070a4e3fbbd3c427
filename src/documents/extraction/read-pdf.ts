import { getDocumentProxy } from 'unpdf';
import type { Section } from './section.js';
import { Unreadable } from './unreadable.js';

/** The end mark of a PDF is within this many bytes from its end. */
const TRAILER = 4096;
const MAX_PAGES = 10_000;
/** Lines farther apart than this many line heights are of different paragraphs. */
const PARAGRAPH_GAP = 1.7;
/** A line shorter than this share of the longest one ends with a line break of the author. */
const SHORT_LINE = 0.6;

/** A word hyphenated at the end of a line. */
const HYPHENATED_WORD = /(?<![\p{L}\p{N}-])([\p{L}\p{N}-]*\p{L})-[ \n](\p{Ll}+)/gu;

/** A line, with the position of its baseline and the height of its letters. */
interface Line {
  text: string;
  y: number;
  height: number;
}

/** Reads one section from each page. */
export async function readPdf(content: Uint8Array): Promise<Section[]> {
  if (!Buffer.from(content.subarray(-TRAILER)).includes('%%EOF')) {
    throw new Unreadable('parse_failed', 'The PDF is cut off.');
  }
  const pdf = await open(content);
  if (pdf.numPages > MAX_PAGES) {
    throw new Unreadable('too_large', `The PDF has more than ${MAX_PAGES} pages.`);
  }
  const sections: Section[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = paragraphs(linesOf(items.flatMap((item) => ('str' in item ? [item] : []))));
    sections.push({ headings: [], text, page: number });
    page.cleanup();
  }
  return sections;
}

async function open(content: Uint8Array) {
  try {
    return await getDocumentProxy(new Uint8Array(content), { verbosity: 0, maxImageSize: 1 });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new Unreadable('parse_failed', 'The PDF is encrypted.');
    }
    throw error;
  }
}

interface TextItem {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  /** The last number is the distance from the bottom of the page. */
  readonly transform: unknown[];
}

function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const { str, hasEOL, height, transform } of items) {
    line ??= { text: '', y: Number(transform[5]), height };
    line.text += str;
    line.height = Math.max(line.height, height);
    if (!hasEOL) continue;
    lines.push(line);
    line = undefined;
  }
  return line ? [...lines, line] : lines;
}

/** Joins lines into paragraphs, and hyphenated words. */
function paragraphs(lines: readonly Line[]): string {
  const longest = Math.max(0, ...lines.map(({ text }) => text.length));
  let text = '';
  let before: Line | undefined;
  for (const line of lines) {
    if (before && before.text !== '') {
      const distance = before.y - line.y;
      const isNewParagraph =
        distance < 0 || distance > PARAGRAPH_GAP * Math.max(before.height, line.height);
      const isLineBreak = before.text.length < SHORT_LINE * longest;
      text += isNewParagraph ? '\n\n' : isLineBreak ? '\n' : ' ';
    }
    text += line.text;
    before = line;
  }
  return text.replace(HYPHENATED_WORD, (_, start: string, end: string) =>
    start.includes('-') ? `${start}-${end}` : start + end,
  );
}
