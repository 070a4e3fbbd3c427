import { splitSentences } from '@latchkey/text/sentences';
import type { Block, Heading, Locator, PageBreak, Table } from './block.js';
import type { RowPart } from './passage-table.js';
import { readable } from './readable.js';
import { writeTable } from './table-fragments.js';
import { cutIntoWords, leastWordCount, wordCount } from './word-count.js';

/** What is never cut: a sentence, a row, a line of code, a word of an endless sentence. */
export interface Fragment {
  readonly text: string;
  readonly size: number;
  readonly locator: Locator | null;
  /** Whether the next passage may repeat it. */
  readonly repeatable: boolean;
  /** Whether it is the rest of the one before, cut because that was too long. */
  readonly isRest?: boolean;
  /** Stands above it where it begins a passage, in place of the block's header. */
  readonly header?: Fragment;
  /** Of a table. */
  readonly part?: RowPart;
}

/** A block as it is written, and how it is cut. */
export interface WrittenBlock {
  /** Between it and the block before. */
  readonly separator: '\n' | '\n\n';
  /** Between its fragments. */
  readonly fragmentSeparator: '' | '\n';
  /** Stands above the fragments in each passage that has some of them. */
  readonly header: Fragment | null;
  readonly table?: Table;
  /** All of it; null where only the fragments are known. */
  readonly text: string | null;
  readonly locator: Locator | null;
  /** Whether all of it, with its header, fits into the size. */
  readonly fits: (size: number) => boolean;
  readonly size: () => number;
  readonly fragments: () => Iterable<Fragment>;
}

export type Content = Exclude<Block, Heading>;

const LIST_INDENT = '  ';
const MAX_LIST_DEPTH = 10;

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
      return written(text, block, { fragmentSeparator: '\n' }, () =>
        linesOf(text, chunkSize, block),
      );
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

function written(
  text: string,
  { locator }: Located,
  separators: Partial<Pick<WrittenBlock, 'separator' | 'fragmentSeparator'>>,
  fragments: () => Iterable<Fragment>,
): WrittenBlock | null {
  if (text.trim() === '') return null;
  let counted: number | undefined;
  const size = () => (counted ??= wordCount(text));
  return {
    separator: '\n\n',
    fragmentSeparator: '',
    header: null,
    text,
    locator: locator ?? null,
    ...separators,
    size,
    fits: (limit) => leastWordCount(text) <= limit && size() <= limit,
    fragments,
  };
}

interface Located {
  readonly locator?: Locator;
}

function* sentencesOf(
  text: string,
  chunkSize: number,
  { locator, kind }: Content,
  pageBreaks: readonly PageBreak[] = [],
): Generator<Fragment> {
  let offset = 0;
  let at = locator ?? null;
  let passed = 0;
  // Notes and captions stand between what belongs together.
  const isRepeatable = kind !== 'note' && kind !== 'caption';
  for (const sentence of splitSentences(text)) {
    for (
      let next = pageBreaks[passed];
      next && next.offset <= offset;
      next = pageBreaks[++passed]
    ) {
      at = next.locator;
    }
    yield* whole(sentence, chunkSize, at, isRepeatable);
    offset += sentence.length;
  }
}

function* linesOf(text: string, chunkSize: number, { locator }: Located): Generator<Fragment> {
  for (const line of text.split('\n')) yield* whole(line, chunkSize, locator ?? null, false);
}

/** One fragment, or the words of a text that is longer than a passage. */
export function* whole(
  text: string,
  chunkSize: number,
  locator: Locator | null,
  repeatable: boolean,
): Generator<Fragment> {
  const size = leastWordCount(text) > chunkSize ? Infinity : wordCount(text);
  if (size <= chunkSize) yield { text, size, locator, repeatable };
  else {
    let isRest = false;
    for (const word of cutIntoWords(text)) {
      yield { ...word, locator, repeatable: true, isRest };
      isRest = true;
    }
  }
}
