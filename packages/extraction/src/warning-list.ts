import { countFailure } from '@latchkey/text/failures';
import type { DocumentWarning, LeftOutCode, ReaderWarning } from './block.js';
import { tidy } from './tidy.js';

/** Limits the warnings, apart from those about omissions, which have one per code. */
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

/** The warnings of one document. Omissions for the same reason share one warning. */
export class WarningList {
  private readonly warnings: DocumentWarning[] = [];
  private readonly leftOut = new Map<LeftOutCode, Set<string>>();

  add(warning: ReaderWarning): void {
    if ('what' in warning) this.addLeftOut(warning.code, tidy(warning.what).slice(0, MAX_NAME));
    else this.addWarning(warning);
  }

  toWarnings(): DocumentWarning[] {
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
    // One name more than is shown is kept, to know whether there are more.
    if (names.size <= MAX_NAMED) names.add(name);
  }
}
