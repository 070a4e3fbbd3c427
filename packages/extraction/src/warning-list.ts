import { countFailure } from '@latchkey/text/failures';
import type { DocumentWarning, LeftOutCode, ReaderWarning } from './block.js';
import { tidy } from './tidy.js';

/** Besides those of what is left out, of which each code has one. */
const MAX_WARNINGS = 20;
const MAX_NAMED = 10;
const MAX_NAME = 100;

const MESSAGES: Readonly<Record<LeftOutCode, (names: string) => string>> = {
  hidden_left_out: (names) => `Hidden parts are left out: ${names}.`,
  values_missing: (names) =>
    `Formulas without a stored value are shown as formulas: ${names}. Open and save the file in a spreadsheet program to store the values.`,
  not_read: (names) => `Some parts are not read: ${names}.`,
  encoding_guessed: (names) =>
    `The encoding is a guess: ${names}. If letters are wrong, name the right one in \`charset\`.`,
};

/** The warnings of one document: each once, and one for all that a reader leaves out for the same reason. */
export class WarningList {
  private readonly warnings: DocumentWarning[] = [];
  private readonly leftOut = new Map<LeftOutCode, Set<string>>();

  add(warning: ReaderWarning): void {
    if ('what' in warning) this.addLeftOut(warning.code, tidy(warning.what).slice(0, MAX_NAME));
    else this.addWarning(warning);
  }

  all(): DocumentWarning[] {
    const leftOut = [...this.leftOut].map(([code, names]) => {
      const named = [...names].slice(0, MAX_NAMED).join(', ');
      return { code, message: MESSAGES[code](names.size > MAX_NAMED ? `${named}, …` : named) };
    });
    return [...this.warnings, ...leftOut];
  }

  private addWarning(warning: DocumentWarning): void {
    if (warning.code.endsWith('_unreadable')) countFailure('reader');
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(warning);
  }

  private addLeftOut(code: LeftOutCode, name: string): void {
    const names = this.leftOut.get(code) ?? new Set();
    this.leftOut.set(code, names);
    // One more than are named is kept, to know that there are more.
    if (names.size <= MAX_NAMED) names.add(name);
  }
}
