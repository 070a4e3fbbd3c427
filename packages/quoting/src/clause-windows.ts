import type { Candidate } from './quote.js';
import { allOf } from './term-matcher.js';

/** The maximum number of words of a window; the citation after it counts as one more. */
const MAX_WINDOW_WORDS = 78;

/**
 * Joins consecutive clauses into windows that can be quoted, for scripts such as Thai, in which nothing
 * marks which spaces end a sentence. There is one window for each clause that a window can begin with.
 *
 * @param pieces the sentences and clauses of one passage in order
 */
export function withClauseWindows(pieces: readonly Candidate[]): Candidate[] {
  const candidates: Candidate[] = [];
  // A window that begins before this index would only repeat the end of an earlier window.
  let coveredUntil = 0;
  for (const [start, piece] of pieces.entries()) {
    if (start < coveredUntil) continue;
    const end = windowEnd(pieces, start);
    const isClause = piece.continues || pieces[start + 1]?.continues === true;
    candidates.push(isClause ? join(pieces.slice(start, end)) : piece);
    if (!pieces[end]?.continues) coveredUntil = end;
  }
  return candidates;
}

function windowEnd(pieces: readonly Candidate[], start: number): number {
  // A clause of signs alone counts too, or a window of them would have no end.
  let words = Math.max(1, pieces[start]?.words ?? 0);
  let end = start + 1;
  for (; pieces[end]?.continues; end++) {
    words += Math.max(1, pieces[end]?.words ?? 0);
    if (words > MAX_WINDOW_WORDS) break;
  }
  return end;
}

function join(clauses: readonly Candidate[]): Candidate {
  const [first] = clauses as readonly [Candidate];
  return {
    ...first,
    text: clauses
      .map(({ text }) => text)
      .join('')
      .trim(),
    to: clauses.at(-1)?.to ?? first.to,
    words: clauses.reduce((sum, { words }) => sum + words, 0),
    matched: allOf(...clauses.map(({ matched }) => matched)),
    terms: new Set(clauses.flatMap(({ terms }) => [...terms])),
    groups: new Set(clauses.flatMap(({ groups }) => [...groups])),
    saysMore: clauses.some(({ saysMore }) => saysMore),
    hasAnswerType: clauses.some(({ hasAnswerType }) => hasAnswerType),
    end: first.start + clauses.length,
    margin: marginOf(clauses),
  };
}

/**
 * How far the clauses with words of the question are from the nearer end of the window, as a share of
 * half its length, 0 to 1. In the middle is best, because the answer may stand before or after them.
 */
function marginOf(clauses: readonly Candidate[]): number {
  const sum = clauses.reduce((total, { words }) => total + words, 0);
  let before = 0;
  let margins = 0;
  let count = 0;
  for (const { words, terms } of clauses) {
    const middle = before + words / 2;
    before += words;
    margins += (terms.size * Math.min(middle, sum - middle)) / (sum / 2);
    count += terms.size;
  }
  return count > 0 ? margins / count : 0;
}
