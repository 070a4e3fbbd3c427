import type { QuestionTerm } from '@latchkey/ranking/search-index';

/** Stems with a shorter common prefix are not similar. */
const MIN_PREFIX = 4;
/** A shorter stem is not taken for a part of a compound, since it may be only an ending. */
const MIN_PART = 5;
/** Stems count as the same if their common prefix is this long and this share of the longer one. */
const MIN_SAME_PREFIX = 5;
const MIN_SAME_SHARE = 0.6;
/** Others are similar if their common prefix is at least this share of the shorter one. */
const MIN_PART_SHARE = 0.5;
/** The highest credit of stems that are only similar. */
const SIMILAR_CREDIT = 0.6;
/** A term with a lower credit counts as missing: the text only has a word with a similar stem. */
export const PRESENT = 0.5;

/** Arabic writes "and", "in", "for", "as" and "then" together with the next word; stems keep them. */
const ARABIC_PARTICLE = /^[وبلكف](?=\p{Script=Arabic}{3})/u;

/** Scripts whose words are found by dictionary, compounds by their parts. */
const SEGMENTED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The question's terms that a text has, each with its credit: 1, or less if only similar. */
export type MatchedTerms = ReadonlyMap<QuestionTerm, number>;

/**
 * Finds the terms of a question in sentences, by equal stems, by stems with a common prefix and by
 * stems that begin or end with another: compounds, and forms that the stemmer does not reduce to one stem.
 */
export class TermMatcher {
  private readonly byStem = new Map<string, StemOfTerm[]>();
  private readonly byPrefix = new Map<string, StemOfTerm[]>();
  private readonly bySuffix = new Map<string, StemOfTerm[]>();
  /** Credits by stem, cached because texts repeat their stems. */
  private readonly credits = new Map<string, MatchedTerms>();

  constructor(terms: readonly QuestionTerm[]) {
    for (const term of terms) {
      for (const stem of term.stems) {
        const entry = { stem, term };
        for (const form of withoutParticle(stem)) addTo(this.byStem, form, entry);
        if (stem.length >= MIN_PREFIX) addTo(this.byPrefix, cutPrefix(stem), entry);
        if (stem.length >= MIN_PART) addTo(this.bySuffix, cutSuffix(stem), entry);
      }
    }
  }

  match(stems: readonly string[]): MatchedTerms {
    const matched = new Map<QuestionTerm, number>();
    for (const stem of new Set(stems)) {
      for (const [term, credit] of this.computeCredits(stem)) {
        if (credit > (matched.get(term) ?? 0)) matched.set(term, credit);
      }
    }
    return matched;
  }

  private computeCredits(stem: string): MatchedTerms {
    const known = this.credits.get(stem);
    if (known) return known;
    const same = withoutParticle(stem).flatMap((form) => this.byStem.get(form) ?? []);
    const alike = [
      ...(this.byPrefix.get(cutPrefix(stem)) ?? []),
      ...(this.bySuffix.get(cutSuffix(stem)) ?? []),
    ];
    const credits = new Map<QuestionTerm, number>();
    for (const { stem: other, term } of alike) {
      const credit = Math.min(computeCredit(stem, other), same.length > 0 ? SIMILAR_CREDIT : 1);
      if (credit > (credits.get(term) ?? 0)) credits.set(term, credit);
    }
    for (const { term } of same) credits.set(term, 1);
    this.credits.set(stem, credits);
    return credits;
  }
}

interface StemOfTerm {
  readonly stem: string;
  readonly term: QuestionTerm;
}

/** Merges the matches of several texts, each term with its highest credit. */
export function mergeMatches(...texts: readonly MatchedTerms[]): MatchedTerms {
  const all = new Map<QuestionTerm, number>();
  for (const text of texts) {
    for (const [term, credit] of text) all.set(term, Math.max(credit, all.get(term) ?? 0));
  }
  return all;
}

/** A stem as it is, and in Arabic without a particle that it may begin with. */
const withoutParticle = (stem: string): string[] => [
  ...new Set([stem, stem.replace(ARABIC_PARTICLE, '')]),
];

const cutPrefix = (stem: string): string => stem.slice(0, MIN_PREFIX);
const cutSuffix = (stem: string): string => stem.slice(-MIN_PART);

function computeCredit(one: string, other: string): number {
  const prefix = measureCommonPrefix(one, other);
  const longer = Math.max(one.length, other.length);
  if (prefix >= MIN_SAME_PREFIX && prefix >= MIN_SAME_SHARE * longer) return 1;
  const shorter = Math.min(one.length, other.length);
  // The first and last parts of a compound have its meaning. In segmented scripts a dictionary has already
  // divided compounds, so a part is only similar.
  const isPart = prefix === shorter || one.endsWith(other) || other.endsWith(one);
  if (shorter >= MIN_PART && isPart) return SEGMENTED.test(one) ? SIMILAR_CREDIT : 1;
  const share = prefix / shorter;
  return prefix >= MIN_PREFIX && share >= MIN_PART_SHARE ? SIMILAR_CREDIT * share : 0;
}

function measureCommonPrefix(one: string, other: string): number {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return common;
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
