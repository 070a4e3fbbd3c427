/** A passage that has a term. */
interface Posting {
  readonly number: number;
  /** How often it has the term; an occurrence in the title counts TITLE_WEIGHT times. */
  readonly frequency: number;
  /** How many words the passage has. */
  readonly tokens: number;
}

/** Some postings of a term, in the order of their numbers, as an index stores them. */
export interface PostingBlock {
  /** The number of the first passage. */
  readonly first: number;
  readonly bytes: Uint8Array;
}

/** The postings of a term by column, in the order of their numbers. */
export interface PostingList {
  readonly numbers: Float64Array;
  readonly frequencies: Uint16Array;
  readonly tokens: Uint16Array;
}

/** A full block has 1,792 bytes: PostgreSQL stores a row out of line from 2 kB on. */
const MAX_BLOCK_POSTINGS = 224;
/** Four bytes for the distance from the block's first number, two each for frequency and length. */
const POSTING_BYTES = 8;
const MAX_UINT16 = 0xffff;
const MAX_UINT32 = 0xffffffff;

export const countBlockPostings = (bytes: Uint8Array): number => bytes.byteLength / POSTING_BYTES;

/** @param postings in the order of their numbers; at least one */
export function writeBlock(postings: readonly Posting[]): PostingBlock {
  const first = postings[0]?.number ?? 0;
  const bytes = new Uint8Array(postings.length * POSTING_BYTES);
  write(postings, first, viewColumns(bytes), 0);
  return { first, bytes };
}

/** @param blocks in the order of their numbers */
export function readBlocks(blocks: readonly PostingBlock[]): PostingList {
  const count = blocks.reduce((sum, { bytes }) => sum + countBlockPostings(bytes), 0);
  const list = {
    numbers: new Float64Array(count),
    frequencies: new Uint16Array(count),
    tokens: new Uint16Array(count),
  };
  let start = 0;
  for (const { first, bytes } of blocks) {
    const { offsets, frequencies, tokens } = viewColumns(bytes);
    for (let index = 0; index < offsets.length; index++) {
      list.numbers[start + index] = first + (offsets[index] ?? 0);
    }
    list.frequencies.set(frequencies, start);
    list.tokens.set(tokens, start);
    start += offsets.length;
  }
  return list;
}

/** The postings of one block. */
function readBlock({ first, bytes }: PostingBlock): Posting[] {
  const { offsets, frequencies, tokens } = viewColumns(bytes);
  return Array.from(offsets, (offset, index) => ({
    number: first + offset,
    frequency: frequencies[index] ?? 0,
    tokens: tokens[index] ?? 0,
  }));
}

/** A block and its replacement: no block if it lost its last posting, several if it got too long. */
export interface BlockChange<Block extends PostingBlock> {
  /** Undefined for postings that come before all blocks of their term. */
  readonly old: Block | undefined;
  readonly replacement: readonly PostingBlock[];
}

/**
 * Adds postings to the blocks of a term. They replace existing postings with the same numbers.
 *
 * @param blocks in order, at least those that the numbers of the postings lie in
 * @param postings in the order of their numbers
 */
export function addToBlocks<Block extends PostingBlock>(
  blocks: readonly Block[],
  postings: readonly Posting[],
): BlockChange<Block>[] {
  const added = new Map<Block | undefined, Posting[]>();
  let next = 0;
  for (const posting of postings) {
    while ((blocks[next]?.first ?? Infinity) <= posting.number) next++;
    const block = blocks[next - 1];
    const some = added.get(block);
    if (some) some.push(posting);
    else added.set(block, [posting]);
  }
  return [...added].map(([old, some]) => {
    if (!old) return { old, replacement: divideIntoBlocks(some) };
    const appended = append(old, some);
    return {
      old,
      replacement: appended ? [appended] : divideIntoBlocks(merge(readBlock(old), some)),
    };
  });
}

/** Removes the postings of the given numbers. */
export const removeFromBlocks = <Block extends PostingBlock>(
  blocks: readonly Block[],
  numbers: ReadonlySet<number>,
): BlockChange<Block>[] =>
  blocks.flatMap((old) => {
    const postings = readBlock(old);
    const kept = postings.filter(({ number }) => !numbers.has(number));
    return kept.length < postings.length ? [{ old, replacement: divideIntoBlocks(kept) }] : [];
  });

/** @returns undefined where the block gets too long, or the postings do not come behind its own */
function append(block: PostingBlock, postings: readonly Posting[]): PostingBlock | undefined {
  const old = viewColumns(block.bytes);
  const count = old.offsets.length;
  const last = block.first + (old.offsets[count - 1] ?? 0);
  const distance = (postings.at(-1)?.number ?? 0) - block.first;
  const isBehind = (postings[0]?.number ?? 0) > last && distance <= MAX_UINT32;
  if (!isBehind || count + postings.length > MAX_BLOCK_POSTINGS) return undefined;
  const bytes = new Uint8Array((count + postings.length) * POSTING_BYTES);
  const columns = viewColumns(bytes);
  columns.offsets.set(old.offsets);
  columns.frequencies.set(old.frequencies);
  columns.tokens.set(old.tokens);
  write(postings, block.first, columns, count);
  return { first: block.first, bytes };
}

function write(
  postings: readonly Posting[],
  first: number,
  { offsets, frequencies, tokens }: ReturnType<typeof viewColumns>,
  start: number,
): void {
  for (const [index, posting] of postings.entries()) {
    offsets[start + index] = posting.number - first;
    frequencies[start + index] = Math.min(posting.frequency, MAX_UINT16);
    tokens[start + index] = Math.min(posting.tokens, MAX_UINT16);
  }
}

function merge(postings: readonly Posting[], added: readonly Posting[]): Posting[] {
  const merged = new Map([...postings, ...added].map((one) => [one.number, one]));
  return [...merged.values()].sort((one, other) => one.number - other.number);
}

/** Divides postings into blocks that are short enough, and whose numbers are near enough to the first one. */
export function divideIntoBlocks(postings: readonly Posting[]): PostingBlock[] {
  const blocks: PostingBlock[] = [];
  let start = 0;
  for (let end = 1; end <= postings.length; end++) {
    const distance = (postings[end]?.number ?? Infinity) - (postings[start]?.number ?? 0);
    if (end - start < MAX_BLOCK_POSTINGS && distance <= MAX_UINT32) continue;
    blocks.push(writeBlock(postings.slice(start, end)));
    start = end;
  }
  return blocks;
}

/** The postings of each term, in the order of the passages. */
export function groupPostingsByTerm(
  passages: readonly {
    readonly number: number;
    readonly tokens: number;
    readonly terms: readonly string[];
    readonly frequencies: readonly number[];
  }[],
): Map<string, Posting[]> {
  const postings = new Map<string, Posting[]>();
  const inOrder = passages.toSorted((one, other) => one.number - other.number);
  for (const { number, tokens, terms, frequencies } of inOrder) {
    for (const [index, term] of terms.entries()) {
      const posting = { number, tokens, frequency: frequencies[index] ?? 0 };
      const some = postings.get(term);
      if (some) some.push(posting);
      else postings.set(term, [posting]);
    }
  }
  return postings;
}

function viewColumns(bytes: Uint8Array) {
  // Typed arrays begin at a multiple of their size; bytes that do not are copied.
  const { buffer, byteOffset } = bytes.byteOffset % 4 ? new Uint8Array(bytes) : bytes;
  const count = countBlockPostings(bytes);
  return {
    offsets: new Uint32Array(buffer, byteOffset, count),
    frequencies: new Uint16Array(buffer, byteOffset + 4 * count, count),
    tokens: new Uint16Array(buffer, byteOffset + 6 * count, count),
  };
}
