/** A command with its star, an accent or a sign, a comment with its line end, mathematics, white space, text. */
const TOKEN =
  /\\[A-Za-z@]+\*?|\\[^]|%[^\n]*\n?[ \t]*|\$\$?|[{}[\]&~]|`{1,2}|'{1,2}|-{2,3}|\s+|[^\\%${}[\]&~`'\-\s]+|-/gy;

interface Source {
  readonly text: string;
  at: number;
}

/** Splits LaTeX into tokens. The expansion of a macro is inserted before the rest. */
export class LatexInput {
  private readonly sources: Source[];
  private readonly waiting: string[] = [];
  /** Characters that macros may still expand to; nested macros could grow without end. */
  private left: number;

  constructor(text: string) {
    this.sources = [{ text, at: 0 }];
    this.left = 100_000 + text.length;
  }

  /** @returns undefined at the end */
  next(): string | undefined {
    const waiting = this.waiting.pop();
    if (waiting !== undefined) return waiting;
    for (let source = this.sources.at(-1); source; source = this.sources.at(-1)) {
      TOKEN.lastIndex = source.at;
      const token = TOKEN.exec(source.text)?.[0];
      if (token !== undefined) {
        source.at += token.length;
        return token;
      }
      this.sources.pop();
    }
    return undefined;
  }

  putBack(token: string): void {
    this.waiting.push(token);
  }

  /** Whether macros may still expand to this many characters. */
  hasRoom(length: number): boolean {
    return length < this.left;
  }

  /** @returns whether there was room for it */
  expand(text: string): boolean {
    this.left -= text.length + 1;
    if (this.left < 0 || this.sources.length > 200) return false;
    this.sources.push({ text, at: 0 });
    return true;
  }

  /** The next character, as it is. */
  takeRawCharacter(): string {
    const source = this.sources.at(-1);
    return source?.text.charAt(source.at++) ?? '';
  }

  /** @returns what stands before some text, which is left out too; to the end if it is missing */
  takeRawUntil(end: string): string {
    const source = this.sources.at(-1);
    if (!source) return '';
    const start = source.at;
    const found = source.text.indexOf(end, start);
    source.at = found === -1 ? source.text.length : found + end.length;
    return source.text.slice(start, found === -1 ? source.text.length : found);
  }

  /** The next token that is no white space or comment, which stays. */
  peek(): string | undefined {
    for (let token = this.next(); token !== undefined; token = this.next()) {
      if (/^\s*$|^%/.test(token) && !isParagraphEnd(token)) continue;
      this.putBack(token);
      return token;
    }
    return undefined;
  }

  /** @returns the text of an argument in braces, or the one letter or command that stands for it */
  takeArgument(): string {
    const first = this.peek();
    if (first === undefined || first === '}' || isParagraphEnd(first)) return '';
    this.next();
    if (first === '{') return this.takeUntil('{', '}');
    if (first.startsWith('\\')) return first;
    // Without braces, the argument is a single letter.
    const letter = String.fromCodePoint(first.codePointAt(0) ?? 0);
    if (first.length > letter.length) this.putBack(first.slice(letter.length));
    return letter;
  }

  /** @returns undefined without an argument in brackets */
  takeOption(): string | undefined {
    if (this.peek() !== '[') return undefined;
    this.next();
    return this.takeUntil('[', ']');
  }

  /** Takes text without comments. If an option or formula is never closed, it ends with the paragraph. */
  private takeUntil(open: string, close: string): string {
    const parts: string[] = [];
    let depth = 1;
    let braces = 0;
    for (let token = this.next(); token !== undefined; token = this.next()) {
      if (token.startsWith('%')) continue;
      if (open === '[' && token === '{') braces++;
      if (open === '[' && token === '}') braces--;
      if (token === open && braces === 0) depth++;
      if (token === close && braces === 0 && --depth === 0) break;
      if (open === '[' && (braces < 0 || isParagraphEnd(token))) {
        this.putBack(token);
        break;
      }
      parts.push(token);
    }
    return parts.join('');
  }

  /** Takes the next token if it is the wanted one. */
  take(wanted: string): boolean {
    const token = this.next();
    if (token === wanted) return true;
    if (token !== undefined) this.putBack(token);
    return false;
  }

  /** @returns the LaTeX of a formula and whether it ends, which one within a line does before a paragraph */
  takeFormula(end: string): { latex: string; isClosed: boolean } {
    const parts: string[] = [];
    let depth = 1;
    const isInline = end === '$' || end === '\\)';
    for (let token = this.next(); token !== undefined; token = this.next()) {
      if (end === '\\end' && token === '\\begin') depth++;
      const isEnd = token === end || (end === '$' && token === '$$');
      if (isEnd && --depth === 0) {
        if (token !== end) this.putBack('$');
        return { latex: parts.join('').trim(), isClosed: true };
      }
      if (isInline && isParagraphEnd(token)) {
        this.putBack(token);
        break;
      }
      if (token === '\\label') this.takeArgument();
      else if (!token.startsWith('%')) parts.push(token);
    }
    return { latex: parts.join('').trim(), isClosed: false };
  }
}

/** Whether a token is white space with an empty line. */
export const isParagraphEnd = (token: string): boolean =>
  token.indexOf('\n') !== token.lastIndexOf('\n') && token.trim() === '';
