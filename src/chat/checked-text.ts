import type { Completion } from './answer-generator.js';
import { CitationFilter, citedIndexes } from './citations.js';
import { findOverlap } from './find-overlap.js';
import { PromptLeakFilter, type SecretText } from './prompt-leak.js';
import { type Marks, NO_ANSWER } from './prompt.js';

/** How a generation ended. */
export type Ending = Completion & {
  /** False if the model found no answer in the passages. */
  readonly answered: boolean;
  /** Whether the model replied to a message that asks nothing. */
  readonly isSmallTalk: boolean;
};

interface Checks {
  /** The number of sources that can be cited. */
  readonly sources: number;
  readonly marks: Marks;
  /** Texts of the prompt that the answer must not repeat. */
  readonly secrets: readonly SecretText[];
}

/** Models write a mark in quotes or in bold. */
const AROUND_MARK = `[\\s"'“‘\`*_]*`;
const LEADING = new RegExp(`^${AROUND_MARK}`);
const TRAILING = new RegExp(`${AROUND_MARK}$`);
const BEHIND_MARK = /^[\s"'”’`*_.:]+/;
/** A longer reply is not small talk, whatever its mark. */
const MAX_SMALL_TALK = 300;

/**
 * The text of a model as it is sent to the client: without citations that have no source, and only up to
 * the point where it repeats its instructions, which counts as no answer.
 */
export async function* checkedText(
  pieces: AsyncIterable<string | Completion>,
  { sources, marks, secrets }: Checks,
): AsyncGenerator<string | Ending> {
  const citations = new CitationFilter(sources);
  const leaks = new PromptLeakFilter(secrets);
  const marked = new MarkFilter(marks);
  for await (const piece of pieces) {
    const isEnd = typeof piece === 'object';
    const kept = isEnd
      ? citations.push(leaks.end()) + citations.end()
      : citations.push(leaks.push(piece));
    if (leaks.hasLeak) {
      yield { finishReason: 'content_filter', usage: null, answered: false, isSmallTalk: false };
      return;
    }
    const text = marked.push(kept) + (isEnd ? marked.end() : '');
    if (text !== '') yield text;
    const { isRefusal, isSmallTalk } = marked;
    if (isEnd) yield { ...piece, answered: !isRefusal, isSmallTalk };
  }
}

/**
 * Takes the marks out of a text that comes in pieces. The mark for no answer makes a refusal of any text,
 * of which nothing more is sent. Models sometimes shorten it to NO_ANSWER: a text with that word is a
 * refusal unless it cites a source, because it is then about the word.
 */
class MarkFilter {
  /** Whether the model found no answer. */
  isRefusal = false;
  private hasTalkMark = false;
  /** What was sent. */
  private sent = '';
  /** The end of the text, which the next piece may complete to a mark. */
  private held = '';

  constructor(private readonly marks: Marks) {}

  /** @returns what can be sent */
  push(piece: string): string {
    if (this.isRefusal) return '';
    this.held += piece;
    if (this.sent === '') this.takeTalkMark();
    if (this.held.includes(this.marks.noAnswer)) return this.refuse();
    return this.send(this.findHeld());
  }

  /** @returns the rest, at the end of the text */
  end(): string {
    const { held } = this;
    if (held.includes(NO_ANSWER) && !this.citesSource()) return this.refuse();
    // White space alone is not an answer, but the beginning of a mark can be one: “NO”.
    return this.sent === '' && held.trim() === '' ? '' : this.send(held.length);
  }

  get isSmallTalk(): boolean {
    return this.hasTalkMark && this.sent.length <= MAX_SMALL_TALK && !this.citesSource();
  }

  private citesSource(): boolean {
    return citedIndexes(this.sent + this.held).size > 0;
  }

  private takeTalkMark(): void {
    const opening = this.held.replace(LEADING, '');
    if (opening.startsWith(this.marks.noQuestion)) {
      this.hasTalkMark = true;
      this.held = opening.slice(this.marks.noQuestion.length);
    }
    if (this.hasTalkMark) this.held = this.held.replace(BEHIND_MARK, '');
  }

  private refuse(): string {
    this.isRefusal = true;
    this.held = '';
    return '';
  }

  /** @returns the place up to which the text is sent */
  private findHeld(): number {
    const { held } = this;
    const opening = this.sent === '' ? held.replace(LEADING, '') : undefined;
    if (opening !== undefined && this.marks.noQuestion.startsWith(opening)) return 0;
    const whole = held.indexOf(NO_ANSWER);
    const start = whole < 0 || this.citesSource() ? findOverlap(held, this.marks.noAnswer) : whole;
    return TRAILING.exec(held.slice(0, start))?.index ?? start;
  }

  private send(end: number): string {
    const text = this.held.slice(0, end);
    this.held = this.held.slice(end);
    this.sent += text;
    return text;
  }
}
