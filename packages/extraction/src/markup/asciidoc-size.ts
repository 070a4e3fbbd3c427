import { Unreadable } from '../unreadable.js';

const ENTRY = /^:([\w][\w-]*):((?:.*\\\n)*.*)$/gm;
const SET = /\{set:([\w][\w-]*):([^}\n]*)\}/g;
const REFERENCE = /\{([\w][\w-]*)\}/g;
/** What the first lines define: the title, the authors and the revision. */
const OF_HEADER = /^(?:doctitle|author|firstname|middlename|lastname|email|rev)/i;
/** A link that is given the text of its target: a title, or what an anchor is called. */
const CROSS_REFERENCE = /<<|\bxref:/g;
const TARGET = /^(?:=+[ \t]|#+[ \t]|\[|\.\S).*$/gm;
/** Longer values are cut, in the mode `secure`. */
const MAX_VALUE = 4096;
/** Characters that all references of a document stand for together. */
const MAX_REFERENCED = 2_000_000;

/**
 * Looks how much the references of a document stand for, before they are replaced.
 *
 * @throws Unreadable if it would grow too large
 */
export function checkAsciidocSize(text: string): void {
  const sizes = new Map<string, number>();
  const [header = ''] = text.trimStart().split(/\n\s*\n/, 1);
  const ofHeader = longest(header.split('\n'));
  const getSize = (name: string) => sizes.get(name) ?? (OF_HEADER.test(name) ? ofHeader : 0);
  const referenced = (part: string) =>
    [...part.matchAll(REFERENCE)].reduce(
      (sum, [, name = '']) => sum + getSize(name.toLowerCase()),
      0,
    );
  for (const [, name = '', value = ''] of [...text.matchAll(ENTRY), ...text.matchAll(SET)]) {
    const size = Math.min(MAX_VALUE, value.length + referenced(value));
    sizes.set(name.toLowerCase(), Math.max(size, sizes.get(name.toLowerCase()) ?? 0));
  }
  const links = text.match(CROSS_REFERENCE)?.length ?? 0;
  const ofLinks = links * longest(text.match(TARGET) ?? []);
  if (referenced(text) + ofLinks > MAX_REFERENCED) {
    throw new Unreadable(
      'too_large',
      'The references of the document stand for more than two million characters.',
    );
  }
}

const longest = (lines: readonly string[]): number =>
  lines.reduce((length, line) => Math.max(length, line.length), 0);
