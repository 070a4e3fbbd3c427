import { sentences } from '../../search/sentences.js';
import type { Block, Heading, Locator, PageBreak, Table } from './block.js';
import { cutIntoWords, leastWordCount, wordCount } from './word-count.js';

/** What is never cut: a sentence, a row, a line of code, a word of an endless sentence. */
export interface Atom {
  readonly text: string;
  readonly size: number;
  readonly locator: Locator | null;
  /** Whether the next passage may repeat it. */
  readonly repeatable: boolean;
}

/** A block as it is written, and how it is cut. */
export interface WrittenBlock {
  /** Between it and the block before. */
  readonly separator: '\n' | '\n\n';
  /** Between its atoms. */
  readonly atomSeparator: '' | '\n';
  /** Stands above the atoms in each passage that has some of them. */
  readonly header: Atom | null;
  /** All of it; null where only the atoms are known. */
  readonly text: string | null;
  readonly locator: Locator | null;
  /** Whether all of it, with its header, fits into the size. */
  readonly fits: (size: number) => boolean;
  readonly size: () => number;
  readonly atoms: () => Iterable<Atom>;
}

export type Content = Exclude<Block, Heading>;

const LIST_INDENT = '  ';
const MAX_LIST_DEPTH = 10;
/** A longer header would leave no room for the rows. */
const MAX_HEADER_SHARE = 0.4;

/** @returns null for a block without text */
export function writeBlock(
  block: Content,
  before: Content | null,
  chunkSize: number,
): WrittenBlock | null {
  switch (block.kind) {
    case 'table':
      return writeTable(block, chunkSize);
    case 'code': {
      const text = readable(block.text)
        .replace(/^(?:[^\S\n]*\n)+/, '')
        .trimEnd();
      return written(text, block, { atomSeparator: '\n' }, () => linesOf(text, chunkSize, block));
    }
    case 'list-item': {
      const indent = LIST_INDENT.repeat(Math.min(block.depth, MAX_LIST_DEPTH));
      const content = readable(block.text).trim();
      const text = content === '' ? '' : `${indent}${`${block.marker} `.trimStart()}${content}`;
      const separator = before?.kind === 'list-item' ? '\n' : '\n\n';
      return written(text, block, { separator }, () => sentencesOf(text, chunkSize, block));
    }
    default: {
      const { pageBreaks } = block;
      // The offsets of page breaks count in the text as it is.
      const text = pageBreaks === undefined ? readable(block.text).trim() : block.text;
      return written(text, block, {}, () => sentencesOf(text, chunkSize, block, pageBreaks));
    }
  }
}

/** PostgreSQL stores no NUL in text, and a soft hyphen is no part of a word. */
export const readable = (text: string): string =>
  text.replace(/[\0\u00ad\ufeff]/g, '').toWellFormed();

function written(
  text: string,
  { locator }: Located,
  separators: Partial<Pick<WrittenBlock, 'separator' | 'atomSeparator'>>,
  atoms: () => Iterable<Atom>,
): WrittenBlock | null {
  if (text.trim() === '') return null;
  let counted: number | undefined;
  const size = () => (counted ??= wordCount(text));
  return {
    separator: '\n\n',
    atomSeparator: '',
    header: null,
    text,
    locator: locator ?? null,
    ...separators,
    size,
    fits: (limit) => leastWordCount(text) <= limit && size() <= limit,
    atoms,
  };
}

interface Located {
  readonly locator?: Locator;
}

function* sentencesOf(
  text: string,
  chunkSize: number,
  { locator }: Located,
  pageBreaks: readonly PageBreak[] = [],
): Generator<Atom> {
  let offset = 0;
  let at = locator ?? null;
  let passed = 0;
  for (const sentence of sentences(text)) {
    for (
      let next = pageBreaks[passed];
      next && next.offset <= offset;
      next = pageBreaks[++passed]
    ) {
      at = next.locator;
    }
    yield* whole(sentence, chunkSize, at, true);
    offset += sentence.length;
  }
}

function* linesOf(text: string, chunkSize: number, { locator }: Located): Generator<Atom> {
  for (const line of text.split('\n')) yield* whole(line, chunkSize, locator ?? null, false);
}

/** One atom, or the words of a text that is longer than a chunk. */
function* whole(
  text: string,
  chunkSize: number,
  locator: Locator | null,
  repeatable: boolean,
): Generator<Atom> {
  const size = leastWordCount(text) > chunkSize ? Infinity : wordCount(text);
  if (size <= chunkSize) yield { text, size, locator, repeatable };
  else {
    for (const word of cutIntoWords(text)) yield { ...word, locator, repeatable: true };
  }
}

function writeTable({ header, rows, locator }: Table, chunkSize: number): WrittenBlock | null {
  const isEmpty = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');
  const filled = rows.filter(({ cells }) => !isEmpty(cells));
  const rowAtom = (cells: readonly string[], at: Locator | undefined): Atom => {
    const text = rowText(cells);
    return { text, size: wordCount(text), locator: at ?? null, repeatable: false };
  };
  const head = header && !isEmpty(header) ? rowAtom(header, locator) : null;
  const isRepeated = head !== null && head.size <= chunkSize * MAX_HEADER_SHARE;
  if (filled.length === 0 && !head) return null;
  const repeated = isRepeated && filled.length > 0 ? head : null;
  /** Counts no further than the limit. */
  const sizeUpTo = (limit: number) => {
    let size = head?.size ?? 0;
    for (const { cells } of filled) {
      if (size > limit) break;
      size += wordCount(rowText(cells));
    }
    return size;
  };
  return {
    separator: '\n\n',
    atomSeparator: '\n',
    header: repeated,
    text: null,
    locator: filled[0]?.locator ?? locator ?? null,
    size: () => sizeUpTo(Infinity),
    fits: (limit) => sizeUpTo(limit) <= limit,
    *atoms() {
      const room = chunkSize - (repeated?.size ?? 0);
      if (head && !repeated) yield* whole(head.text, room, head.locator, false);
      for (const { cells, locator: at } of filled) {
        yield* whole(rowText(cells), room, at ?? locator ?? null, false);
      }
    },
  };
}

const rowText = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => readable(cell).replace(/\s+/g, ' ').trim()).join(' | ')} |`;
