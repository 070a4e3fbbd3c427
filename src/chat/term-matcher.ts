import type { QuestionTerm } from '../search/search-index.js';

/** Shorter stems match only if they are equal. */
const MIN_PREFIX = 5;
/** Two stems are similar if their common beginning is at least this share of the longer one. */
const MIN_SHARE = 0.6;

/**
 * Finds the terms of a question in sentences, by equal stems and by stems with a common beginning, such
 * as compounds and forms that the stemmer does not reduce to one stem.
 */
export class TermMatcher {
  private readonly byStem = new Map<string, QuestionTerm[]>();
  private readonly byPrefix = new Map<string, { stem: string; term: QuestionTerm }[]>();

  constructor(terms: readonly QuestionTerm[]) {
    for (const term of terms) {
      for (const stem of term.stems) {
        addTo(this.byStem, stem, term);
        if (stem.length < MIN_PREFIX) continue;
        addTo(this.byPrefix, stem.slice(0, MIN_PREFIX), { stem, term });
      }
    }
  }

  match(stems: readonly string[]): Set<QuestionTerm> {
    return new Set(stems.flatMap((stem) => this.byStem.get(stem) ?? this.similarTo(stem)));
  }

  private similarTo(stem: string): QuestionTerm[] {
    const alike = this.byPrefix.get(stem.slice(0, MIN_PREFIX)) ?? [];
    return alike.filter((one) => isSimilar(one.stem, stem)).map(({ term }) => term);
  }
}

function isSimilar(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return common >= MIN_SHARE * Math.max(one.length, other.length);
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
