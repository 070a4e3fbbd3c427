import { Unreadable } from '../unreadable.js';

const ENTRY = /^:([\w][\w-]*):((?:.*\\\n)*.*)$/gm;
const SET = /\{set:([\w][\w-]*):([^}\n]*)\}/g;
const REFERENCE = /\{([\w][\w-]*)\}/g;
/** Attributes that the first lines define: the title, the authors and the revision. */
const OF_HEADER = /^(?:doctitle|author|firstname|middlename|lastname|email|rev)/i;
/** A link that takes its text from the target: a title or the name of an anchor. */
const CROSS_REFERENCE = /<<|\bxref:/g;
const TARGET = /^(?:=+[ \t]|#+[ \t]|\[|\.\S).*$/gm;
/** In the mode `secure`, Asciidoctor cuts longer values. */
const MAX_VALUE = 4096;
/** Limits the characters that all references of a document expand to. */
const MAX_REFERENCED = 2_000_000;

/**
 * Checks how much text the references of a document would expand to.
 *
 * @throws Unreadable if it would grow too large
 */
export function checkAsciidocSize(text: string): void {
  const sizes = new Map<string, number>();
  const [header = ''] = text.trimStart().split(/\n\s*\n/, 1);
  const ofHeader = findLongest(header.split('\n'));
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
  const ofLinks = links * findLongest(text.match(TARGET) ?? []);
  if (referenced(text) + ofLinks > MAX_REFERENCED) {
    throw new Unreadable(
      'too_large',
      'The references of the document stand for more than two million characters.',
    );
  }
}

const findLongest = (lines: readonly string[]): number =>
  lines.reduce((length, line) => Math.max(length, line.length), 0);
