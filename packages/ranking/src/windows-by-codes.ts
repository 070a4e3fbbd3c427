import type { CodeIndex } from '@latchkey/embeddings/code-index';
import type { WindowIndex } from './index-reader.js';

/** Finds windows by the codes of their vectors. */
export const createWindowIndex = (codes: CodeIndex): WindowIndex => ({
  nearest: (vector, limit, allowed, pause) =>
    codes.nearest(vector, limit, allowed && ((number) => allowed.has(number)), pause),
  missing: (numbers) => new Set(numbers.filter((number) => !codes.has(number))),
});
