import { withoutVariants } from '@latchkey/text/fold-text';
import type { LoadedPassage } from './index-reader.js';
import type { Hit } from './rank.js';

const RUN = /[\p{L}\p{N}_.\-/:]+/gu;
/** Punctuation around a run. */
const EDGES = /^[_.\-/:]+|[_.\-/:]{1,20}$/gu;
/** The index divides such a name into several words: `SECRET_KEY`, `ERR-4012`, `7.3`, `BA-350`. */
const JOINT = /[_.\-/:]/u;
const MAX_IDENTIFIERS = 8;
const PATH_SEPARATOR = ' › ';

/** Finds the identifiers of a question, folded. Hyphenated words are no identifiers. */
export function findIdentifiers(question: string): string[] {
  const runs = withoutVariants(question).match(RUN) ?? [];
  const found = runs
    .map((run) => run.replace(EDGES, ''))
    .filter((one) => JOINT.test(one) && (/[_\p{N}]/u.test(one) || one === one.toUpperCase()));
  return [...new Set(found.map(fold))].slice(0, MAX_IDENTIFIERS);
}

/**
 * Puts passages first that have most of the identifiers as they stand in the question, headings counting more
 * than text. The index only has the words that an identifier consists of, and many passages have these. A hit
 * that moves gets the score of its new place.
 */
export function orderByIdentifiers(
  hits: readonly Hit[],
  identifiers: readonly string[],
  getPassage: (number: number) => LoadedPassage | undefined,
): Hit[] {
  const patterns = identifiers.map(buildPattern);
  const rated = hits.map((hit) => ({
    hit,
    rating: countMatches(getPassage(hit.number), patterns),
  }));
  return rated
    .sort((one, other) => other.rating - one.rating)
    .map(({ hit }, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}

function countMatches(passage: LoadedPassage | undefined, patterns: readonly RegExp[]): number {
  if (!passage) return 0;
  const heading = fold(passage.heading?.split(PATH_SEPARATOR).at(-1) ?? '');
  const text = fold(`${passage.heading ?? ''}\n${passage.text}`);
  return patterns.reduce(
    (sum, pattern) => sum + (pattern.test(heading) ? 1.5 : pattern.test(text) ? 1 : 0),
    0,
  );
}

/** Builds a pattern for an identifier that does not match within a longer number or identifier. */
const buildPattern = (identifier: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}][_.\\-])${identifier.replaceAll('.', '\\.')}(?![\\p{L}\\p{N}]|[_.\\-][\\p{L}\\p{N}])`,
    'u',
  );

const fold = (text: string): string => withoutVariants(text).toLowerCase();
