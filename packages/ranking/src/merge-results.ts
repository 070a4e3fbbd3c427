import { computeShare } from './coverage.js';
import { FUSION_RANK, WORDS_WEIGHT } from './fusion-weights.js';
import type { FoundPassage, QuestionTerm, SearchResult } from './search-index.js';

/**
 * Merges the results of one question from several knowledge bases. Their scores are not comparable, because they
 * depend on the words and the size of each knowledge base. So a passage is scored by the share of the question
 * that it has, with the same weights for all, and by the rank of its similarity among all. The share counts less
 * for a lower rank in its own knowledge base, so that many good passages of one do not hide the best of another.
 * The order within a knowledge base stays.
 *
 * A passage that moves gets the score of its new place, so that scores descend and stay on the scale of
 * `minScore`, by which each knowledge base has left out its own.
 *
 * @param results those of the main knowledge base first: its passages come first among equals
 * @returns at most `limit` passages
 */
export function mergeResults(results: readonly SearchResult[], limit: number): SearchResult {
  const [only, ...others] = results;
  if (only && others.length === 0) return only;
  const terms = mergeTerms(results.flatMap((result) => result.terms));
  const merge = (selectPassages: (result: SearchResult) => readonly FoundPassage[]) => {
    const lists = results.map((result) =>
      withCoverage(selectPassages(result), result.terms, terms),
    );
    return withScoresOfPlaces(removeEqualTexts(sortPassages(lists)).slice(0, limit));
  };
  return {
    passages: merge(({ passages }) => passages),
    ...(results.some(({ original }) => original) && {
      original: merge(({ original, passages }) => original ?? passages),
    }),
    partial: results.some(({ partial }) => partial),
    lacksVectors: results.some(({ lacksVectors }) => lacksVectors),
    embedding: results.find(({ embedding }) => embedding)?.embedding,
    terms: [...terms.values()],
    corrections: new Map(results.flatMap(({ corrections = new Map() }) => [...corrections])),
  };
}

/** Merges the terms of all knowledge bases by word, with the mean of their weights. */
function mergeTerms(terms: readonly QuestionTerm[]): Map<string, QuestionTerm> {
  const merged = new Map<string, QuestionTerm>();
  for (const [word, same] of Map.groupBy(terms, (term) => term.word)) {
    merged.set(word, {
      word,
      stems: [...new Set(same.flatMap(({ stems }) => stems))],
      weight: same.reduce((sum, { weight }) => sum + weight, 0) / same.length,
      isKnown: same.some(({ isKnown }) => isKnown),
      mayBeName: same.some(({ mayBeName }) => mayBeName),
    });
  }
  return merged;
}

/** @param own what are words of the question in the languages of the knowledge base */
function withCoverage(
  passages: readonly FoundPassage[],
  own: readonly QuestionTerm[],
  merged: ReadonlyMap<string, QuestionTerm>,
): FoundPassage[] {
  const weighted = (terms: readonly QuestionTerm[]) =>
    terms.map((term) => merged.get(term.word) ?? term);
  return passages.map((passage) => {
    const matched = weighted(passage.matched);
    return { ...passage, matched, coverage: computeShare(matched, weighted(own)) };
  });
}

/** All passages, best first, with the scores of their own knowledge bases. */
function sortPassages(lists: readonly (readonly FoundPassage[])[]): FoundPassage[] {
  const nearest = rankByNearness(lists.flat());
  const scorePassage = (passage: FoundPassage, rank: number) => {
    const byWords = Math.sqrt(passage.coverage) * scoreRank(rank);
    if (nearest.size === 0) return byWords;
    return (WORDS_WEIGHT * byWords + scoreRank(nearest.get(passage) ?? rank)) / (WORDS_WEIGHT + 1);
  };
  return lists
    .flatMap((passages) => {
      const scores = passages.map((passage, index) => scorePassage(passage, index + 1));
      // A passage is as good as those behind it at least, since its own search has put it first.
      const atLeast = scores.map((_, index) => Math.max(...scores.slice(index)));
      return passages.map((passage, index) => ({ passage, merged: atLeast[index] ?? 0 }));
    })
    .sort((one, other) => other.merged - one.merged)
    .map(({ passage }) => passage);
}

/** Gives each passage the score of its place, so that scores descend. */
export function withScoresOfPlaces(passages: readonly FoundPassage[]): FoundPassage[] {
  const scores = passages.map(({ score }) => score).sort((one, other) => other - one);
  return passages.map((passage, place) => ({ ...passage, score: scores[place] ?? passage.score }));
}

/** 1 for the first, as in reciprocal rank fusion. */
const scoreRank = (rank: number): number => (FUSION_RANK + 1) / (FUSION_RANK + rank);

/** Ranks the passages that have vectors by their similarity, from 1 on. */
function rankByNearness(passages: readonly FoundPassage[]): Map<FoundPassage, number> {
  const near = passages.flatMap((passage) =>
    passage.windows?.length
      ? [{ passage, nearness: Math.max(...passage.windows.map(({ toAsked }) => toAsked)) }]
      : [],
  );
  near.sort((one, other) => other.nearness - one.nearness);
  return new Map(near.map(({ passage }, index) => [passage, index + 1]));
}

/** Removes passages whose text another one has, since a document may be in two knowledge bases. */
function removeEqualTexts(passages: readonly FoundPassage[]): FoundPassage[] {
  const first = new Map<string, FoundPassage>();
  for (const passage of passages) if (!first.has(passage.text)) first.set(passage.text, passage);
  return [...first.values()];
}
