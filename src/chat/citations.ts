/** `[2]` or `[1, 3]`, with the space before it. */
const CITATION = /( ?)\[(\d+(?: ?, ?\d+)*)\]/g;
/** What may become one with what comes next, or half of a character outside the first plane. */
const UNDECIDED = /(?: ?(?:\[[\d, ]{0,400})?|[\uD800-\uDBFF])$/;

/**
 * Lets an answer's text through with those citations alone that have a source, whatever pieces it
 * comes in, and as every database keeps it.
 */
export class CitationFilter {
  private held = '';

  constructor(private readonly sources: number) {}

  /** What can be told by now. */
  push(piece: string): string {
    const text = this.held + piece;
    const end = UNDECIDED.exec(text)?.index ?? text.length;
    this.held = text.slice(end);
    return this.checked(text.slice(0, end));
  }

  /** The rest. */
  end(): string {
    const rest = this.checked(this.held);
    this.held = '';
    return rest;
  }

  private checked(text: string): string {
    return text
      .replace(CITATION, (citation, space: string, numbers: string) => {
        const all = numbers.split(',').map(Number);
        const known = all.filter((number) => number >= 1 && number <= this.sources);
        if (known.length === all.length) return citation;
        return known.length > 0 ? `${space}[${known.join(', ')}]` : '';
      })
      .toWellFormed()
      .replaceAll('\0', '\uFFFD');
  }
}
