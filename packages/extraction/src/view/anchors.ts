import { findLastAtMost, foldLetters, findOffset } from './find-text.js';

/** The start of a passage in a text, before the character at an offset. */
export interface Anchor {
  readonly id: string;
  readonly offset: number;
}

export interface AnchoredPassage {
  readonly id: string;
  /** The text of the passage, or at least its beginning. */
  readonly text: string;
}

/** The number of letters by which the start of a passage is found; fewer might occur several times. */
const SEED_LETTERS = 40;
const MIN_LETTERS = 12;
/** The number of lines tried: the first ones may repeat the header of a table, which is elsewhere. */
const MAX_LINES = 8;

/**
 * Finds the starts of passages in pieces of text that have the same letters in the same order.
 *
 * @returns the anchors by the index of the piece, in the order of their offsets
 */
export function findAnchors(
  passages: readonly AnchoredPassage[],
  pieces: readonly string[],
): Map<number, Anchor[]> {
  const starts: number[] = [];
  let letters = '';
  for (const piece of pieces) {
    starts.push(letters.length);
    letters += foldLetters(piece);
  }
  const anchors = new Map<number, Anchor[]>();
  let from = 0;
  for (const { id, text } of passages) {
    const at = findPlace(text, letters, from);
    if (at === -1) continue;
    from = at;
    const piece = findLastAtMost(starts, at);
    const offset = findOffset(pieces[piece] ?? '', at - (starts[piece] ?? 0));
    anchors.set(piece, [...(anchors.get(piece) ?? []), { id, offset }]);
  }
  return anchors;
}

function findPlace(text: string, letters: string, from: number): number {
  const lines = text.split('\n').map(foldLetters);
  for (let line = 0; line < Math.min(lines.length, MAX_LINES); line++) {
    const seed = lines.slice(line).join('').slice(0, SEED_LETTERS);
    if (seed === '' || (line > 0 && seed.length < MIN_LETTERS)) return -1;
    const at = letters.indexOf(seed, from);
    if (at !== -1) return at;
  }
  return -1;
}
