import type { QuestionTerm } from '../search/search-index.js';

/** Stems with a shorter common beginning are not similar. */
const MIN_BEGINNING = 4;
/** A shorter stem is not looked for at the end of others, since it may be an ending. */
const MIN_END = 5;
/** Stems with a common beginning this long, which is this share of the longer one, count as the same. */
const MIN_SAME = 5;
const MIN_SAME_SHARE = 0.6;
/** Others are similar if their common beginning is at least this share of the shorter one. */
const MIN_PART_SHARE = 0.5;
/** How much a stem counts that another begins or ends with, as compounds do with their parts. */
const PART_CREDIT = 0.6;

/** Terms of a question that a text has, and how surely: 1 for the word itself, less for a similar one. */
export type MatchedTerms = ReadonlyMap<QuestionTerm, number>;

/**
 * Finds the terms of a question in sentences, by equal stems and by stems that begin alike or end in
 * another, such as compounds and forms that the stemmer does not reduce to one stem.
 */
export class TermMatcher {
  private readonly byStem = new Map<string, StemOfTerm[]>();
  private readonly byBeginning = new Map<string, StemOfTerm[]>();
  private readonly byEnd = new Map<string, StemOfTerm[]>();
  /** By the stems seen so far, since texts repeat theirs. */
  private readonly credits = new Map<string, MatchedTerms>();

  constructor(terms: readonly QuestionTerm[]) {
    for (const term of terms) {
      for (const stem of term.stems) {
        const entry = { stem, term };
        addTo(this.byStem, stem, entry);
        if (stem.length >= MIN_BEGINNING) addTo(this.byBeginning, beginningOf(stem), entry);
        if (stem.length >= MIN_END) addTo(this.byEnd, endOf(stem), entry);
      }
    }
  }

  match(stems: readonly string[]): MatchedTerms {
    const matched = new Map<QuestionTerm, number>();
    for (const stem of new Set(stems)) {
      for (const [term, credit] of this.creditsOf(stem)) {
        if (credit > (matched.get(term) ?? 0)) matched.set(term, credit);
      }
    }
    return matched;
  }

  private creditsOf(stem: string): MatchedTerms {
    const known = this.credits.get(stem);
    if (known) return known;
    const same = this.byStem.get(stem);
    const alike = [
      ...(this.byBeginning.get(beginningOf(stem)) ?? []),
      ...(this.byEnd.get(endOf(stem)) ?? []),
    ];
    const credits = new Map<QuestionTerm, number>();
    for (const { stem: other, term } of alike) {
      const credit = Math.min(similarity(stem, other), same ? PART_CREDIT : 1);
      if (credit > (credits.get(term) ?? 0)) credits.set(term, credit);
    }
    for (const { term } of same ?? []) credits.set(term, 1);
    this.credits.set(stem, credits);
    return credits;
  }
}

interface StemOfTerm {
  readonly stem: string;
  readonly term: QuestionTerm;
}

/** The terms that any of the texts has. */
export function allOf(...texts: readonly MatchedTerms[]): MatchedTerms {
  const all = new Map<QuestionTerm, number>();
  for (const text of texts) {
    for (const [term, credit] of text) all.set(term, Math.max(credit, all.get(term) ?? 0));
  }
  return all;
}

const beginningOf = (stem: string): string => stem.slice(0, MIN_BEGINNING);
const endOf = (stem: string): string => stem.slice(-MIN_END);

function similarity(one: string, other: string): number {
  const beginning = commonBeginning(one, other);
  const longer = Math.max(one.length, other.length);
  if (beginning >= MIN_SAME && beginning >= MIN_SAME_SHARE * longer) return 1;
  const shorter = Math.min(one.length, other.length);
  if (shorter >= MIN_END && (one.endsWith(other) || other.endsWith(one))) return PART_CREDIT;
  const share = beginning / shorter;
  return beginning >= MIN_BEGINNING && share >= MIN_PART_SHARE ? PART_CREDIT * share : 0;
}

function commonBeginning(one: string, other: string): number {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return common;
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
