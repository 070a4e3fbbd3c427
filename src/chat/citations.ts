/** Matches `[2]` or `[1, 3]`, with the space before it. */
const CITATION = /( ?)\[(\d+(?: ?, ?\d+)*)\]/g;
/** Matches a citation that does not stand directly behind a word. */
const APART = /(?: |(?<![\p{L}\p{N}_)]))\[\d+(?: ?, ?\d+)*\]/gu;
/** Matches the beginning of a citation, or the first half of a surrogate pair, at the end of a piece. */
const INCOMPLETE = /(?: ?(?:\[[\d, ]{0,400})?|[\uD800-\uDBFF])$/;

export const citedIndexes = (answer: string): Set<number> =>
  new Set([...answer.matchAll(CITATION)].flatMap(([, , list = '']) => list.split(',').map(Number)));

export const withoutCitations = (answer: string): string => answer.replace(CITATION, ' ');

/** Takes citations out of an answer, with the space before them; `args[1]` stays. */
export const removeCitations = (answer: string): string => answer.replace(APART, '');

/**
 * Removes citations without a source from a text that comes in pieces, and characters that
 * databases cannot store.
 */
export class CitationFilter {
  /** The end of the text so far, which the next piece may complete. */
  private incomplete = '';

  constructor(private readonly sources: number) {}

  /** @returns the text up to the first incomplete part */
  push(piece: string): string {
    const text = this.incomplete + piece;
    const end = INCOMPLETE.exec(text)?.index ?? text.length;
    this.incomplete = text.slice(end);
    return this.filter(text.slice(0, end));
  }

  /** @returns the rest */
  end(): string {
    const rest = this.filter(this.incomplete);
    this.incomplete = '';
    return rest;
  }

  private filter(text: string): string {
    return text
      .replace(CITATION, (citation, space: string, list: string) => {
        const numbers = list.split(',').map(Number);
        const known = numbers.filter((number) => number >= 1 && number <= this.sources);
        if (known.length === numbers.length) return citation;
        return known.length > 0 ? `${space}[${known.join(', ')}]` : '';
      })
      .toWellFormed()
      .replaceAll('\0', '\uFFFD');
  }
}
