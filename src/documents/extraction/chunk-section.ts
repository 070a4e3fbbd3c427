import { sentences } from '../../search/sentences.js';
import type { ChunkLimits } from './extract.js';

/** A chunk is also full when it has this many characters, white space included, per word allowed. */
const MAX_CHARACTERS_PER_WORD = 20;

// Each Han, Hiragana or Katakana character counts as a word, and so does each part of a hundred
// characters of a very long word.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,100}/gu;

/** The offsets of a word in its section. */
interface Word {
  readonly start: number;
  readonly end: number;
}

/** Packs whole paragraphs, and whole sentences of long paragraphs, into chunks, in one pass. */
export function* chunkSection(section: string, limits: ChunkLimits): Generator<string> {
  const packer = new Packer(limits);
  for (const unit of units(section, limits.chunkSize)) {
    for (const { start, end } of packer.add(unit)) yield section.slice(start, end);
  }
  for (const { start, end } of packer.end()) yield section.slice(start, end);
}

class Packer {
  /** The words of the next chunk, which begins with those repeated from the chunk before. */
  private words: Word[] = [];
  /** How many words are repeated. */
  private repeated = 0;

  constructor(private readonly limits: ChunkLimits) {}

  /**
   * Adds words that should stay together.
   *
   * @returns the chunks that are full
   */
  *add(unit: readonly Word[]): Generator<Word> {
    const { chunkSize } = this.limits;
    if (this.words.length + unit.length > chunkSize) yield* this.end();
    for (const word of unit) {
      if (this.isTooFar(word)) yield* this.end();
      // The repeated words alone are too long.
      if (this.isTooFar(word)) this.repeat(0);
      this.words.push(word);
      if (this.words.length === chunkSize) yield* this.end();
    }
  }

  /** @returns the last chunk, unless it has only repeated words */
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
