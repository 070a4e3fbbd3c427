import type { Completion } from './answer-generator.js';
import { CitationFilter, citedIndexes } from './citations.js';
import { findOverlap } from './find-overlap.js';
import { PromptLeakFilter, type SecretText } from './prompt-leak.js';
import { NO_ANSWER } from './prompt.js';

/** `answered` is false if the model found no answer in the passages. */
export type Ending = Completion & { readonly answered: boolean };

interface Checks {
  /** The number of sources that can be cited. */
  readonly sources: number;
  /** What the model replies if the passages do not contain the answer. */
  readonly noAnswerMark: string;
  /** Texts of the prompt that the answer must not repeat. */
  readonly secrets: readonly SecretText[];
}

/** Models write the mark in quotes or in bold. */
const BEFORE_MARK = /[\s"'“‘`*_]/;
/** How much may stand behind NO_ANSWER before the source that makes it a word of the text. */
const MAX_HELD = 1000;

/**
 * The text of a model as it is sent to the client: without citations that have no source, and only up to
 * the point where it repeats its instructions, or has the mark for no answer; either counts as no answer.
 */
export async function* checkedText(
  pieces: AsyncIterable<string | Completion>,
  { sources, noAnswerMark, secrets }: Checks,
): AsyncGenerator<string | Ending> {
  const citations = new CitationFilter(sources);
  const leaks = new PromptLeakFilter(secrets);
  const refusals = new RefusalFilter(noAnswerMark);
  for await (const piece of pieces) {
    const isEnd = typeof piece === 'object';
    const kept = isEnd
      ? citations.push(leaks.end()) + citations.end()
      : citations.push(leaks.push(piece));
    if (leaks.hasLeak) {
      yield { finishReason: 'content_filter', usage: null, answered: false };
      return;
    }
    const text = refusals.push(kept) + (isEnd ? refusals.end() : '');
    if (text !== '') yield text;
    if (isEnd) yield { ...piece, answered: !refusals.isRefusal };
  }
}

/**
 * Finds the mark for no answer in a text that comes in pieces of whole citations. Nothing behind it is sent. Models
 * sometimes shorten it to NO_ANSWER: a text with that word is a refusal unless it cites a source, because it is
 * then about the word.
 */
class RefusalFilter {
  /** Whether the model found no answer. */
  isRefusal = false;
  private hasSent = false;
  private hasCited = false;
  /** The end of the text, which may be the beginning of the mark or stand before it. */
  private held = '';

  constructor(private readonly mark: string) {}

  /** @returns what can be sent */
  push(piece: string): string {
    if (this.isRefusal || piece === '') return '';
    this.held += piece;
    this.hasCited ||= citedIndexes(piece).size > 0;
    if (this.held.includes(this.mark)) return this.refuse();
    const word = this.hasCited ? -1 : this.held.indexOf(NO_ANSWER);
    const end = word < 0 ? findOverlap(this.held, this.mark) : word;
    const start = this.findBefore(end);
    if (this.held.length - start <= MAX_HELD) return this.send(start);
    // So much white space stands before no mark, and so much text without a source is about no word.
    return word < 0 ? this.send(end) : this.send(start) + this.refuse();
  }

  /** @returns the rest, at the end of the text */
  end(): string {
    if (!this.hasCited && this.held.includes(NO_ANSWER)) return this.refuse();
    // White space alone is not an answer, but the beginning of the mark can be one: “NO”.
    return this.hasSent || this.held.trim() !== '' ? this.send(this.held.length) : '';
  }

  private findBefore(end: number): number {
    let start = end;
    while (start > 0 && BEFORE_MARK.test(this.held.charAt(start - 1))) start--;
    return start;
  }

  private refuse(): string {
    this.isRefusal = true;
    this.held = '';
    return '';
  }

  private send(end: number): string {
    const text = this.held.slice(0, end);
    this.held = this.held.slice(end);
    this.hasSent ||= text !== '';
    return text;
  }
}
