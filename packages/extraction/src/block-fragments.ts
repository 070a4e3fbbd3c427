import { splitSentences } from '@latchkey/text/sentences';
import type { Block, Heading, Locator, PageBreak, Table } from './block.js';
import type { RowPart } from './passage-table.js';
import { toReadable } from './readable.js';
import { writeTable } from './table-fragments.js';
import { cutIntoWords, leastWordCount, countWords } from './word-count.js';

/** The smallest piece of a block: a sentence, a row, a line of code, or a word of an endless sentence. */
export interface Fragment {
  readonly text: string;
  readonly size: number;
  readonly locator: Locator | null;
  /** Whether the next passage may repeat it. */
  readonly repeatable: boolean;
  /** Whether this is the rest of the previous fragment, which was too long. */
  readonly isRest?: boolean;
  /** Replaces the block's header when this fragment begins a passage. */
  readonly header?: Fragment;
  /** The table row that the fragment belongs to. */
  readonly part?: RowPart;
}

/** A block as text, with the fragments that it can be cut into. */
export interface BlockText {
  /** Separates the block from the previous one. */
  readonly separator: '\n' | '\n\n';
  /** Separates the fragments. */
  readonly fragmentSeparator: '' | '\n';
  /** Repeated above the fragments in each passage. */
  readonly header: Fragment | null;
  readonly table?: Table;
  /** The whole text; null if only the fragments are known. */
  readonly text: string | null;
  readonly locator: Locator | null;
  /** Whether the whole block, with its header, fits into the size. */
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
): BlockText | null {
  switch (block.kind) {
    case 'table':
      return writeTable(block, chunkSize);
    case 'code': {
      const text = toReadable(block.text)
        .replace(/^(?:[^\S\n]*\n)+/, '')
        .trimEnd();
      return toBlockText(text, block, { fragmentSeparator: '\n' }, () =>
        cutLines(text, chunkSize, block),
      );
    }
    case 'list-item': {
      const indent = LIST_INDENT.repeat(Math.min(block.depth, MAX_LIST_DEPTH));
      const content = toReadable(block.text).trim();
      const text = content === '' ? '' : `${indent}${`${block.marker} `.trimStart()}${content}`;
      const separator = before?.kind === 'list-item' ? '\n' : '\n\n';
      return toBlockText(text, block, { separator }, () => cutSentences(text, chunkSize, block));
    }
    default: {
      const { pageBreaks } = block;
      // The offsets of page breaks count in the text as it is.
      const text = pageBreaks === undefined ? toReadable(block.text).trim() : block.text;
      return toBlockText(text, block, {}, () => cutSentences(text, chunkSize, block, pageBreaks));
    }
  }
}

function toBlockText(
  text: string,
  { locator }: Located,
  separators: Partial<Pick<BlockText, 'separator' | 'fragmentSeparator'>>,
  fragments: () => Iterable<Fragment>,
): BlockText | null {
  if (text.trim() === '') return null;
  let counted: number | undefined;
  const size = () => (counted ??= countWords(text));
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

function* cutSentences(
  text: string,
  chunkSize: number,
  { locator, kind }: Content,
  pageBreaks: readonly PageBreak[] = [],
): Generator<Fragment> {
  let offset = 0;
  let at = locator ?? null;
  let passed = 0;
  // Notes and captions interrupt the text, so they are not repeated.
  const isRepeatable = kind !== 'note' && kind !== 'caption';
  for (const sentence of splitSentences(text)) {
    for (
      let next = pageBreaks[passed];
      next && next.offset <= offset;
      next = pageBreaks[++passed]
    ) {
      at = next.locator;
    }
    yield* cutFragment(sentence, chunkSize, at, isRepeatable);
    offset += sentence.length;
  }
}

function* cutLines(text: string, chunkSize: number, { locator }: Located): Generator<Fragment> {
  for (const line of text.split('\n')) yield* cutFragment(line, chunkSize, locator ?? null, false);
}

/** One fragment, or the words of a text that is longer than a passage. */
export function* cutFragment(
  text: string,
  chunkSize: number,
  locator: Locator | null,
  repeatable: boolean,
): Generator<Fragment> {
  const size = leastWordCount(text) > chunkSize ? Infinity : countWords(text);
  if (size <= chunkSize) yield { text, size, locator, repeatable };
  else {
    let isRest = false;
    for (const word of cutIntoWords(text)) {
      yield { ...word, locator, repeatable: true, isRest };
      isRest = true;
    }
  }
}
