import { computeSimilarity, Edition, intersects, readWords } from '@latchkey/ranking/editions';
import { findYears } from '@latchkey/text/years';
import type { QuotablePassage } from './reading.js';
import type { Span } from './spans.js';
import type { RatedUnit } from './unit-features.js';

const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
/** Jaccard similarity of the words of two sentences that say the same of different years. */
const MIN_SIMILARITY = 0.6;

/** What knows the units of passages and the values in them that are asked for. */
interface Units {
  listUnits(passage: number): readonly RatedUnit[];
  findValueIn(unit: RatedUnit): { readonly text: string } | undefined;
}

export const toEditions = (passages: readonly QuotablePassage[]): Edition[] =>
  passages.map((passage) => new Edition(passage));

/**
 * The passages to leave out if a question asks for a year: those named by another year, if one that is named alike
 * has the year asked for. What a passage says of that year counts, whatever it is named.
 */
export function findOtherYears(
  editions: readonly Edition[],
  passages: readonly QuotablePassage[],
  years: ReadonlySet<number>,
): ReadonlySet<number> {
  const asked = editions.filter((edition) => intersects(edition.years, years));
  return new Set(
    [...passages.keys()].filter((index) => {
      const [edition, passage] = [editions[index], passages[index]];
      return (
        edition !== undefined &&
        asked.some((one) => one.isInSeriesOf(edition) || one.isAlike(edition)) &&
        !intersects(edition.years, years) &&
        !intersects(findYears(passage?.text ?? ''), years)
      );
    }),
  );
}

/** Whether all that is quoted is of other years than the one asked for, and there are several years of it. */
export const isOfOtherYears = (
  spans: readonly Span[],
  editions: readonly Edition[],
  passages: readonly QuotablePassage[],
  years: ReadonlySet<number>,
): boolean =>
  years.size > 0 &&
  spans.length > 0 &&
  spans.every(({ passage }) => {
    const own = editions[passage];
    const named = own?.years ?? new Set();
    if (!own || !editions.some((other) => other.isInSeriesOf(own) || other.isAlike(own)))
      return false;
    const written = findYears(passages[passage]?.text ?? '');
    return named.size > 0 && !intersects(named, years) && !intersects(written, years);
  });

/** The passages of which something is quoted that a newer edition has, too. */
export function findOlder(
  spans: readonly Span[],
  editions: readonly Edition[],
  units: Units,
): ReadonlySet<number> {
  const hasNewer = ({ passage, units: quoted }: Span) => {
    const own = editions[passage];
    if (!own || own.years.size === 0) return false;
    return editions.some((other, index) => {
      if (other.years.size === 0 || other.compare(own) <= 0) return false;
      const isSeries = other.isInSeriesOf(own);
      return units
        .listUnits(index)
        .some((unit) => quoted.some((one) => saysTheSame(one, unit, isSeries, units)));
    });
  };
  return new Set(spans.filter(hasNewer).map(({ passage }) => passage));
}

/** @param isSeries whether their documents or headings are named alike but for the year */
function saysTheSame(one: RatedUnit, other: RatedUnit, isSeries: boolean, units: Units): boolean {
  if (maskNumbers(one.text) === maskNumbers(other.text)) return NUMBER_TEST.test(one.text);
  if (!isSeries) return false;
  return (
    computeSimilarity(readWords(one.text), readWords(other.text)) >= MIN_SIMILARITY ||
    (getCovered(other) >= getCovered(one) &&
      units.findValueIn(one) !== undefined &&
      units.findValueIn(other) !== undefined)
  );
}

/** The share of the question that a unit has. */
const getCovered = ({ features }: RatedUnit): number => features['coveredAsked'] ?? 0;

const NUMBER_TEST = /\p{Nd}/u;

const maskNumbers = (text: string): string => text.replace(NUMBER, '0');

/** The quoted passages of named years, if they are of more than one. */
export function findSeveral(
  spans: readonly Span[],
  editions: readonly Edition[],
): ReadonlySet<number> {
  const named = spans.filter(({ passage }) => (editions[passage]?.years.size ?? 0) > 0);
  const years = new Set(named.flatMap(({ passage }) => [...(editions[passage]?.years ?? [])]));
  return new Set(years.size > 1 ? named.map(({ passage }) => passage) : []);
}

/** Moves the passages of several years to the place of the first one, the newest first. */
export function sortNewestFirst(
  spans: readonly Span[],
  editions: readonly Edition[],
  several: ReadonlySet<number>,
): readonly Span[] {
  const isOne = ({ passage }: Span) => several.has(passage);
  const first = spans.findIndex(isOne);
  if (first < 0) return spans;
  const compare = (one: Span, other: Span) => {
    const [own, others] = [editions[one.passage], editions[other.passage]];
    return own && others ? others.compare(own) : 0;
  };
  return [
    ...spans.slice(0, first),
    ...spans.filter(isOne).sort(compare),
    ...spans.slice(first).filter((span) => !isOne(span)),
  ];
}

/** The year's name of a passage, unless its text has the year anyway. */
export function nameEdition(
  edition: Edition | undefined,
  text: string,
  years: ReadonlySet<number>,
): string | undefined {
  const named = edition?.years ?? new Set();
  const wanted = intersects(named, years) ? years : named;
  return named.size === 0 || intersects(findYears(text), wanted)
    ? undefined
    : edition?.findName(years);
}
