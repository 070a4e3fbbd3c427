import type { Candidate } from './quote.js';

/** Words of the clauses that are quoted together; the citation behind them counts as one more. */
const MAX_WINDOW_WORDS = 76;

/**
 * Joins clauses that continue each other into windows that can be quoted, one for each clause that one
 * can begin with: in scripts where nothing says which spaces end a sentence.
 *
 * @param pieces the sentences and clauses of one passage in order
 */
export function withClauseWindows(pieces: readonly Candidate[]): Candidate[] {
  const candidates: Candidate[] = [];
  // The clauses up to here are in a window that ends where they end.
  let isCompleteUntil = 0;
  for (const [start, piece] of pieces.entries()) {
    if (start < isCompleteUntil) continue;
    const end = windowEnd(pieces, start);
    const isClause = piece.continues || pieces[start + 1]?.continues === true;
    candidates.push(isClause ? join(pieces.slice(start, end)) : piece);
    if (!pieces[end]?.continues) isCompleteUntil = end;
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
    words: clauses.reduce((sum, { words }) => sum + words, 0),
    terms: new Set(clauses.flatMap(({ terms }) => [...terms])),
    saysMore: clauses.some(({ saysMore }) => saysMore),
    hasAnswerType: clauses.some(({ hasAnswerType }) => hasAnswerType),
    end: first.start + clauses.length,
    margin: marginOf(clauses),
  };
}

/**
 * How far the clauses with words of the question are from both ends, as a share of half of the window,
 * 0 to 1: the answer may be before or behind them.
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
