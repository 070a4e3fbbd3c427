import { escapeHtml } from './escape-html.js';
import { isParagraphEnd, LatexInput } from './latex-input.js';
import { LatexMacros } from './latex-macros.js';
import { ACCENTS, LEFT_OUT, SYMBOLS } from './latex-symbols.js';
import { LatexTables } from './latex-tables.js';

const SECTIONS = ['section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph'];
const LISTS: Readonly<Record<string, string>> = {
  itemize: 'ul',
  enumerate: 'ol',
  description: 'dl',
  thebibliography: 'ul',
};
const FORMULA = /^(?:equation|align|alignat|gather|multline|eqnarray|displaymath|math|flalign)\*?$/;
const VERBATIM = /^(?:[vV]erbatim|lstlisting|minted|alltt)\*?$/;
const SKIPPED = /^(?:comment|tikzpicture|pgfpicture|filecontents|picture)\*?$/;
const TABLE = /^(?:tabular[xy]?|tabular\*|longtable)$/;

/** Writes LaTeX as the HTML that means the same: sections, lists, tables, code; formulas stay LaTeX. */
export function latexToHtml(text: string, progress: () => void): string {
  return new LatexWriter(text, progress).write();
}

class LatexWriter {
  private readonly input: LatexInput;
  private readonly macros: LatexMacros;
  /** The author's titles for theorems and the like, by the name of the environment. */
  private readonly theorems = new Map([['proof', 'Proof']]);
  private readonly tables = new LatexTables();
  private html: string[] = [];
  /** The action for the end of each open brace. */
  private readonly braces: (() => void)[] = [];
  private readonly lists: string[] = [];
  private notes: string[] = [];
  private title = '';
  private author = '';
  private isAtEnd = false;
  private readonly hasChapters: boolean;

  constructor(
    text: string,
    private readonly progress: () => void,
  ) {
    this.input = new LatexInput(text);
    this.macros = new LatexMacros(this.input);
    this.hasChapters = /\\chapter\b/.test(text);
  }

  write(): string {
    for (let token = this.input.next(); token !== undefined; token = this.input.next()) {
      if (token.startsWith('%')) continue;
      if (token === '\\endinput' || this.isAtEnd) break;
      this.writeToken(token);
    }
    this.closeBraces();
    this.endParagraph();
    const title = this.title === '' ? '' : `<h1>${this.title}</h1>`;
    return `${title}<p>${this.author}<p>${this.html.join('')}`;
  }

  private writeToken(token: string): void {
    if (isParagraphEnd(token) || token === '\\par') this.endParagraph();
    else if (token === '{') this.braces.push(() => undefined);
    else if (token === '}') this.braces.pop()?.();
    else if (token === '&' && this.tables.isOpen) this.tables.endCell(this.html);
    else if (token === '$' || token === '$$') this.writeFormula(token);
    else if (token === '\\(') this.writeFormula('\\)');
    else if (token === '\\[') this.writeFormula('\\]');
    else if (this.macros.has(token)) this.macros.expand(token);
    else if (token === '\\\\' || token === '\\tabularnewline' || token === '\\newline')
      this.endLine();
    else if (ACCENTS.has(token)) this.writeAccent(ACCENTS.get(token) ?? '');
    else if (SYMBOLS.has(token)) this.writeSymbol(token);
    else if (!token.startsWith('\\')) this.writeText(token);
    else this.runCommand(token.slice(1));
  }

  private runCommand(command: string): void {
    const { input } = this;
    const name = command.replace(/\*$/, '');
    const level = SECTIONS.indexOf(name);
    if (name === 'begin') this.begin(input.takeArgument());
    else if (name === 'end') this.end(input.takeArgument());
    else if (name === 'chapter' || name === 'part') this.writeHeading(2);
    else if (level !== -1) this.writeHeading(level + (this.hasChapters ? 3 : 2));
    else if (name === 'item' || name === 'bibitem') this.writeItem(name);
    else if (name === 'title') this.setAside((html) => (this.title = html));
    else if (name === 'author') this.setAside((html) => (this.author = html));
    else if (name === 'footnote' || name === 'footnotetext')
      this.setAside((html) => this.notes.push(html));
    else if (name === 'caption') this.wrap(this.tables.isOpen ? 'caption' : 'figcaption');
    else if (name === 'textbf') this.wrap('b');
    else if (name === 'textsuperscript') this.wrap('sup');
    else if (name === 'textsubscript') this.wrap('sub');
    else if (/^(?:hline|midrule|toprule|endhead|endfirsthead)$/.test(name)) {
      this.tables.addRule(this.html);
    } else if (name === 'cmidrule') this.input.takeRawUntil('}');
    else if (name === 'multicolumn') this.spanColumns();
    else if (name === 'multirow') this.spanRows();
    else if (name === 'verb' || name === 'lstinline') {
      this.writeText(input.takeRawUntil(input.takeRawCharacter()));
    } else if (name === 'url' || name === 'path') this.writeText(input.takeArgument());
    else if (name === 'iffalse') input.takeRawUntil('\\fi');
    else if (this.macros.define(name)) return;
    else if (name === 'newtheorem') this.defineTheorem();
    else if (name === 'newenvironment' || name === 'renewenvironment') {
      for (let n = 0; n < 3; n++) this.skip();
    } else if (LEFT_OUT.has(name)) {
      for (let n = LEFT_OUT.get(name) ?? 0; n > 0; n--) this.skip();
    } else if (/^[A-Za-z]/.test(name) && input.take('[')) {
      input.putBack('[');
      input.takeOption();
    }
  }

  private begin(name: string): void {
    const { input } = this;
    const list = LISTS[name];
    if (name === 'document') {
      // The preamble contains only definitions and the title.
      this.closeBraces();
      this.html = [];
    } else if (VERBATIM.test(name)) this.writeCode(name);
    else if (SKIPPED.test(name)) input.takeRawUntil(`\\end{${name}}`);
    else if (FORMULA.test(name)) {
      if (/^alignat/.test(name)) input.takeArgument();
      this.writeFormula('\\end');
      input.takeArgument();
    } else if (TABLE.test(name)) {
      this.skipArguments(name);
      this.endParagraph();
      this.tables.begin(this.html);
    } else if (list !== undefined) {
      this.endParagraph();
      this.skipArguments(name);
      if (name === 'thebibliography') this.html.push('<h2>References</h2>');
      this.lists.push(list);
      this.html.push(`<${list}>`);
    } else {
      this.endParagraph();
      if (name === 'abstract') this.html.push('<h2>Abstract</h2>');
      const theorem = this.theorems.get(name);
      const title = input.takeOption();
      if (theorem !== undefined) {
        this.writeText(title === undefined ? `${theorem}. ` : `${theorem} (`);
        if (title !== undefined) input.expand(`${title}). `);
      } else this.skipArguments(name);
    }
  }

  private end(name: string): void {
    this.isAtEnd = name === 'document';
    const list = LISTS[name];
    if (TABLE.test(name)) {
      this.tables.end(this.html);
      return;
    }
    this.endParagraph();
    if (list === undefined || this.lists.at(-1) !== list) return;
    this.lists.pop();
    this.html.push(`</${list}>`);
  }

  private writeItem(name: string): void {
    const { input } = this;
    const label = input.takeOption();
    if (name === 'bibitem') input.takeArgument();
    if (this.lists.at(-1) === 'dl') {
      this.html.push('<dt>');
      // The label was inserted before the rest, so the element ends with its braces.
      if (label !== undefined && input.expand(`{${label}}`)) this.wrapNext('</dt><dd>');
      else this.html.push('</dt><dd>');
    } else this.html.push(this.lists.length > 0 ? '<li>' : '<p>');
  }

  private writeHeading(level: number): void {
    this.endParagraph();
    this.input.takeOption();
    this.wrap(`h${Math.min(level, 6)}`);
  }

  /** Writes the next argument within an element. */
  private wrap(element: string): void {
    this.input.takeOption();
    this.html.push(`<${element}>`);
    this.wrapNext(`</${element}>`);
  }

  private wrapNext(end: string): void {
    if (this.input.peek() === '{') this.input.next();
    else this.input.putBack('}');
    this.braces.push(() => this.html.push(end));
  }

  /** Passes on the next argument, which belongs in another place. */
  private setAside(put: (html: string) => void): void {
    this.input.takeOption();
    const { html } = this;
    const inside: string[] = [];
    this.html = inside;
    if (this.input.peek() === '{') this.input.next();
    else this.input.putBack('}');
    this.braces.push(() => {
      put(inside.join(''));
      this.html = html;
    });
  }

  private writeText(text: string): void {
    if (text.trim() === '' && this.tables.isBetweenRows) return;
    this.tables.beginCell(this.html);
    this.html.push(escapeHtml(text));
  }

  private endLine(): void {
    if (this.input.peek() === '[') this.input.takeOption();
    if (this.tables.isOpen) this.tables.endRow(this.html);
    else this.html.push('<br>');
  }

  private endParagraph(): void {
    if (this.tables.isOpen) return;
    this.progress();
    this.html.push('<p>');
    for (const note of this.notes) this.html.push(note, '<p>');
    this.notes = [];
  }

  private writeAccent(mark: string): void {
    const letter = this.input.takeArgument().trim();
    const base = SYMBOLS.get(letter) ?? letter;
    this.writeText(`${base.replace('ı', 'i').replace('ȷ', 'j')}${mark}`.normalize('NFC'));
  }

  private writeFormula(end: string): void {
    const { latex, isClosed } = this.input.takeFormula(end);
    if (latex !== '') this.writeText(isClosed ? `$${latex}$` : latex);
  }

  private writeSymbol(token: string): void {
    this.writeText(SYMBOLS.get(token) ?? '');
    // The space ends the name of the command.
    if (/^\\[A-Za-z]/.test(token)) this.input.take(' ');
  }

  private closeBraces(): void {
    for (let end = this.braces.pop(); end; end = this.braces.pop()) end();
  }

  private writeCode(name: string): void {
    const source = this.input.takeRawUntil(`\\end{${name}}`);
    const code = source.replace(/^(?:\[[^\]\n]*\])?(?:\{\w+\})?[ \t]*\n/, '');
    this.html.push(`<pre>${escapeHtml(code)}</pre>`);
  }

  private spanColumns(): void {
    const columns = Number.parseInt(this.input.takeArgument(), 10) || 1;
    this.input.takeArgument();
    this.tables.beginCell(this.html, columns);
  }

  private spanRows(): void {
    while (this.input.takeOption() !== undefined);
    const rows = Number.parseInt(this.input.takeArgument(), 10) || 1;
    this.input.takeOption();
    // Skip the width and the vertical offset.
    this.input.takeArgument();
    this.input.takeOption();
    this.tables.spanRows(this.html, rows);
  }

  private defineTheorem(): void {
    const name = this.input.takeArgument();
    this.input.takeOption();
    this.theorems.set(name, this.input.takeArgument());
    this.input.takeOption();
  }

  private skip(): void {
    while (this.input.takeOption() !== undefined);
    if (this.input.peek() === '{') this.input.takeArgument();
  }

  private skipArguments(environment: string): void {
    this.input.takeOption();
    for (let n = LEFT_OUT.get(environment) ?? 0; n > 0; n--) this.skip();
  }
}
