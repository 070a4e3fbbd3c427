/** A range of characters in a piece, as UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A run of letters that two texts have in common, with its start in each. */
interface Match {
  readonly inPieces: number;
  readonly inText: number;
  readonly length: number;
}

/** Shorter runs also occur in other sentences; a Chinese character counts as two letters. */
const MIN_LETTERS = 12;
const MIN_CHARACTERS = 6;
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
/** Letters that occur more often in the text are not used to find the start of a match. */
const MAX_SEEDS = 8;
const MAX_TEXT = 50_000;
const MAX_PIECES = 5_000_000;
/** The share of a match that a longer match may already cover. */
const MAX_REPEATED = 0.5;
/** All matches are within this many text lengths of the longest one. */
const REACH = 2;

/**
 * Finds a text in pieces that may be in another order, hyphenated, or separated by spaces and marks: only
 * letters and digits are compared.
 *
 * @returns the range of each piece that is in the text, by the index of the piece
 */
export function findText(text: string, pieces: readonly string[]): Map<number, TextRange> {
  const wanted = foldLetters(text).slice(0, MAX_TEXT);
  const starts: number[] = [];
  const letters: string[] = [];
  let count = 0;
  for (const piece of pieces) {
    starts.push(count);
    if (count >= MAX_PIECES) continue;
    const ofPiece = foldLetters(piece);
    letters.push(ofPiece);
    count += ofPiece.length;
  }
  const found = new Map<number, TextRange>();
  for (const { inPieces, inText, length } of findMatches(wanted, letters.join(''))) {
    const end = inPieces + length;
    const isLast = inText + length === wanted.length;
    for (let piece = findLastAtMost(starts, inPieces); (starts[piece] ?? end) < end; piece++) {
      const start = starts[piece] ?? 0;
      const from = Math.max(0, inPieces - start);
      const to = Math.min(end, starts[piece + 1] ?? count) - start;
      const isWhole = from === 0 && to === (starts[piece + 1] ?? count) - start;
      const isEdge = from > 0 ? inText === 0 : isLast;
      // The next piece may happen to begin like the rest of the passage.
      if (!isWhole && !isEdge && to - from < MIN_CHARACTERS) continue;
      const range = findRange(pieces[piece] ?? '', from, to);
      const known = found.get(piece);
      if (!range) continue;
      found.set(piece, {
        start: Math.min(known?.start ?? range.start, range.start),
        end: Math.max(known?.end ?? range.end, range.end),
      });
    }
  }
  return found;
}

/** The matches that do not overlap a longer one, the longest first. */
function findMatches(text: string, pieces: string): Match[] {
  const least = WITHOUT_SPACES.test(text) ? MIN_CHARACTERS : MIN_LETTERS;
  const min = Math.min(least, text.length);
  if (min === 0) return [];
  const isTaken = new Uint8Array(text.length);
  const kept: Match[] = [];
  for (const match of findCandidates(text, pieces, min)) {
    const { inText, inPieces, length } = match;
    let repeated = 0;
    for (let at = inText; at < inText + length; at++) repeated += isTaken[at] ?? 0;
    const [longest = match] = kept;
    const distance = inPieces - inText - (longest.inPieces - longest.inText);
    if (repeated > MAX_REPEATED * length || Math.abs(distance) > REACH * text.length) continue;
    isTaken.fill(1, inText, inText + length);
    kept.push(match);
  }
  return kept;
}

/** Runs of at least `min` letters that both texts have, the longest first. */
function findCandidates(text: string, pieces: string, min: number): Match[] {
  // A run of this length contains one of these seeds, wherever it begins.
  const seed = Math.ceil(min / 2);
  const places = new Map<string, number[]>();
  for (let at = 0; at + seed <= text.length; at++) {
    const key = text.slice(at, at + seed);
    const known = places.get(key);
    if (!known) places.set(key, [at]);
    else if (known.length <= MAX_SEEDS) known.push(at);
  }
  const ends = new Map<number, number>();
  const found: Match[] = [];
  for (let at = 0; at + seed <= pieces.length; at += Math.max(1, min - seed + 1)) {
    const seeds = places.get(pieces.slice(at, at + seed)) ?? [];
    if (seeds.length > MAX_SEEDS) continue;
    for (const place of seeds) {
      const diagonal = at - place;
      if ((ends.get(diagonal) ?? -1) > at) continue;
      let before = 0;
      while (at > before && place > before && pieces[at - before - 1] === text[place - before - 1])
        before++;
      let length = before + seed;
      const [inPieces, inText] = [at - before, place - before];
      while (
        inText + length < text.length &&
        inPieces + length < pieces.length &&
        pieces[inPieces + length] === text[inText + length]
      )
        length++;
      ends.set(diagonal, inPieces + length);
      if (length >= min) found.push({ inPieces, inText, length });
    }
  }
  return found.sort((one, other) => other.length - one.length || one.inPieces - other.inPieces);
}

/** The range of a piece that contains its letters `from` up to `to`, and the signs after them. */
function findRange(piece: string, from: number, to: number): TextRange | null {
  let letters = 0;
  let offset = 0;
  let start: number | undefined;
  let end = 0;
  for (const character of piece) {
    const { length } = foldCharacter(character);
    if (length > 0 && letters < to && letters + length > from) {
      start ??= offset;
      end = offset + character.length;
    }
    const isSign = length === 0 && character.trim() !== '';
    if (letters >= to && !isSign) break;
    if (start !== undefined && isSign && letters >= to) end = offset + character.length;
    letters += length;
    offset += character.length;
  }
  return start === undefined ? null : { start, end };
}

/** The offset of the letter with this number, from 0, in a piece. */
export const findOffset = (piece: string, letter: number): number =>
  findRange(piece, letter, letter + 1)?.start ?? 0;

/** The letters and digits of a text, in lower case and without accents. */
export function foldLetters(text: string): string {
  let letters = '';
  for (const character of text) letters += foldCharacter(character);
  return letters;
}

const known = new Map<string, string>();
const MAX_KNOWN = 10_000;

/** Lower-cases a character without its accents; empty for anything but letters and digits. */
function foldCharacter(character: string): string {
  const cached = known.get(character);
  if (cached !== undefined) return cached;
  const letters = character
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (known.size < MAX_KNOWN) known.set(character, letters);
  return letters;
}

/** The last index whose value is at most the limit; the values ascend. */
export function findLastAtMost(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((values[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
