import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service with `--import`: what reads texts throws at some of them, as a function of the
 * runtime that it uses does.
 *
 * - The German stemmer at words that begin with `zauber`, as the Bulgarian one did at others.
 * - ICU's segmenter at texts with the Thai word for a library.
 * - In threads, whatever normalizes a text with the word `ünzerlegbar`.
 */

/**
 * @param {{ [method: string]: any }} prototype
 * @param {string} method
 * @param {(self: unknown, argument: any) => boolean} fails
 */
function throwWhere(prototype, method, fails) {
  const original = prototype[method];
  prototype[method] = function (/** @type {unknown[]} */ ...values) {
    if (fails(this, values[0])) throw new RangeError(`${method} failed`);
    return Reflect.apply(original, this, values);
  };
}

/** What the German stemmer begins with. */
const UMLAUTS = /\[aou\]\)e/;
throwWhere(
  String.prototype,
  'replace',
  (word, pattern) =>
    pattern instanceof RegExp && UMLAUTS.test(pattern.source) && String(word).startsWith('zauber'),
);
throwWhere(Intl.Segmenter.prototype, 'segment', (_, text) => String(text).includes('ห้องสมุด'));
if (!isMainThread) {
  throwWhere(String.prototype, 'normalize', (text) => String(text).includes('ünzerlegbar'));
}
