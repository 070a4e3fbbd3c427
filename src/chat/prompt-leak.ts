/** A text of the prompt, and the number of consecutive characters of it that an answer may not repeat. */
export interface SecretText {
  readonly text: string;
  readonly length: number;
}

/** Shorter matches are words that any answer can contain. */
const MIN_HELD = 12;

/**
 * Finds the point where an answer, which comes in pieces, repeats the instructions to the model. Text that
 * could become such a repetition is held back.
 */
export class PromptLeakFilter {
  /** The longest end of the text so far that is part of a secret. */
  private match = '';
  private unsent = '';
  /** Whether the answer repeats a secret. */
  hasLeak = false;

  constructor(private readonly secrets: readonly SecretText[]) {}

  /** @returns what can be sent */
  push(piece: string): string {
    let sent = '';
    for (let index = 0; index < piece.length && !this.hasLeak; index++) {
      const unit = piece.charAt(index);
      this.unsent += unit;
      this.match += unit;
      while (this.match !== '' && !this.isInSecret(0)) this.match = this.match.slice(1);
      const held = this.match.length < MIN_HELD ? 0 : this.match.length;
      const end = Math.max(0, this.unsent.length - held);
      sent += this.unsent.slice(0, end);
      this.unsent = this.unsent.slice(end);
      this.hasLeak = held > 0 && this.isInSecret(held);
    }
    return sent;
  }

  /** @returns the rest, at the end of the text */
  end(): string {
    return this.hasLeak ? '' : this.unsent;
  }

  /** @param matched a secret that needs more characters in a row is left out, unless it is 0 */
  private isInSecret(matched: number): boolean {
    return this.secrets.some(
      ({ text, length }) => (matched === 0 || matched >= length) && text.includes(this.match),
    );
  }
}
