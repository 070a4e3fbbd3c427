/**
 * Reads a JSON text as `JSON.parse` should. The runtime's parser only reads single strings, numbers and
 * literals, because it confuses property names of objects.
 */
export class JsonReader {
  private index = 0;

  constructor(private readonly text: string) {}

  /** @throws SyntaxError unless it is JSON */
  read(): unknown {
    const value = this.value();
    if (this.peek() !== undefined) throw this.unexpected();
    return value;
  }

  private value(): unknown {
    switch (this.peek()) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.string();
      default:
        return this.literal();
    }
  }

  private object(): object {
    const entries: [string, unknown][] = [];
    this.list('}', () => {
      if (this.peek() !== '"') throw this.unexpected();
      const name = this.string();
      if (!this.takes(':')) throw this.unexpected();
      entries.push([name, this.value()]);
    });
    // An assignment to `__proto__` would not create a property.
    return Object.fromEntries(entries);
  }

  private array(): unknown[] {
    const items: unknown[] = [];
    this.list(']', () => items.push(this.value()));
    return items;
  }

  /** Reads items up to the bracket that closes them. */
  private list(closing: string, readItem: () => void): void {
    this.index++;
    if (this.takes(closing)) return;
    do readItem();
    while (this.takes(','));
    if (!this.takes(closing)) throw this.unexpected();
  }

  private string(): string {
    const start = this.index;
    let end = this.text.indexOf('"', start + 1);
    while (end !== -1 && isEscaped(this.text, end)) end = this.text.indexOf('"', end + 1);
    if (end === -1) throw this.unexpected();
    this.index = end + 1;
    return JSON.parse(this.text.slice(start, end + 1)) as string;
  }

  /** A number, `true`, `false` or `null`. */
  private literal(): unknown {
    const start = this.index;
    while (LITERAL.test(this.text[this.index] ?? '')) this.index++;
    return JSON.parse(this.text.slice(start, this.index));
  }

  /** The next character that is no white space; undefined at the end. */
  private peek(): string | undefined {
    this.index = skipWhiteSpace(this.text, this.index);
    return this.text[this.index];
  }

  private takes(char: string): boolean {
    const isNext = this.peek() === char;
    if (isNext) this.index++;
    return isNext;
  }

  private unexpected(): SyntaxError {
    return new SyntaxError(`Unexpected JSON at position ${this.index}`);
  }
}

const LITERAL = /[-+.\w]/;

/** The index of the next character that is no white space of JSON. */
export function skipWhiteSpace(text: string, index: number): number {
  let next = index;
  while (/[ \t\n\r]/.test(text[next] ?? '')) next++;
  return next;
}

/** Whether the characters before have an odd number of backslashes at their end. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text[first - 1] === '\\') first--;
  return (index - first) % 2 === 1;
}
