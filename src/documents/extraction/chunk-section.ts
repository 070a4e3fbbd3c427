import { sentences } from '../../search/sentences.js';
import type { ChunkLimits } from './extract.js';

/** A chunk is full, too, when its words have so many characters on average, or white space has. */
const MAX_CHARACTERS_PER_WORD = 20;

// A Han, Hiragana or Katakana character counts as a word; so does every hundred characters of
// something endless.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,100}/gu;

/** Where a word of a section stands. */
interface Word {
  readonly start: number;
  readonly end: number;
}

/** Packs whole paragraphs, and whole sentences of long ones, into chunks, in one pass. */
export function* chunkSection(section: string, limits: ChunkLimits): Generator<string> {
  const packer = new Packer(limits);
  for (const unit of units(section, limits.chunkSize)) {
    for (const { start, end } of packer.add(unit)) yield section.slice(start, end);
  }
  for (const { start, end } of packer.end()) yield section.slice(start, end);
}

class Packer {
  /** Of the next chunk; it begins with those that it repeats. */
  private words: Word[] = [];
  /** How many of them are repeated. */
  private repeated = 0;

  constructor(private readonly limits: ChunkLimits) {}

  /**
   * Takes in words that should stay in one piece.
   *
   * @returns the chunks that are full
   */
  *add(unit: readonly Word[]): Generator<Word> {
    const { chunkSize } = this.limits;
    if (this.words.length + unit.length > chunkSize) yield* this.end();
    for (const word of unit) {
      if (this.isTooFar(word)) yield* this.end();
      // What would be repeated is too long by itself.
      if (this.isTooFar(word)) this.repeat(0);
      this.words.push(word);
      if (this.words.length === chunkSize) yield* this.end();
    }
  }

  /** @returns the chunk that there is, if it has more than repeated words */
  *end(): Generator<Word> {
    const first = this.words[0];
    const last = this.words.at(-1);
    if (!first || !last || this.words.length === this.repeated) return;
    yield { start: first.start, end: last.end };
    this.repeat(this.limits.chunkOverlap);
  }

  private repeat(count: number): void {
    this.words = count > 0 ? this.words.slice(-count) : [];
    this.repeated = this.words.length;
  }

  private isTooFar({ end }: Word): boolean {
    const [first] = this.words;
    return (
      first !== undefined && end - first.start > this.limits.chunkSize * MAX_CHARACTERS_PER_WORD
    );
  }
}

/** The words of each whole paragraph, and of each sentence of one that is too long for a chunk. */
function* units(section: string, chunkSize: number): Generator<Word[]> {
  for (const { text, start } of paragraphs(section)) {
    const words = wordsOf(text, start, chunkSize + 1);
    if (words.length <= chunkSize) yield words;
    else yield* sentenceWords(text, start);
  }
}

function* paragraphs(section: string): Generator<{ text: string; start: number }> {
  let start = 0;
  for (const { 0: emptyLines, index } of section.matchAll(/\n\s*\n/g)) {
    const end = index + emptyLines.length;
    yield { text: section.slice(start, end), start };
    start = end;
  }
  yield { text: section.slice(start), start };
}

function* sentenceWords(paragraph: string, offset: number): Generator<Word[]> {
  let start = offset;
  for (const sentence of sentences(paragraph)) {
    yield wordsOf(sentence, start, Infinity);
    start += sentence.length;
  }
}

/** The first `limit` words. */
function wordsOf(text: string, offset: number, limit: number): Word[] {
  const words: Word[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (words.length === limit) break;
    words.push({ start: offset + index, end: offset + index + word.length });
  }
  return words;
}
