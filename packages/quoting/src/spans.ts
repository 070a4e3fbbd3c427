import type { RatedPassage, RatedUnit } from './unit-features.js';
import type { Unit } from './units.js';

/** The most words of an answer, with its citations. */
export const MAX_WORDS = 120;
const MAX_SPANS = 4;
/** Words up to which a span grows. */
const SPAN_WORDS = 50;
/** A sentence beside what answers is quoted if its score is not lower by more. */
const MAX_DIFFERENCE_BEFORE = 1;
const MAX_DIFFERENCE_AFTER = 5;
/** Steps of a procedure are quoted together up to this many words. */
const STEPS_WORDS = 90;

/** Consecutive units of one passage. */
export interface Span {
  readonly passage: number;
  readonly units: readonly RatedUnit[];
  /** The row that names the columns, if it is not one of the units. */
  readonly header: RatedUnit | undefined;
}

/**
 * Chooses what is quoted.
 *
 * @param anchors the units that answer, best first
 */
export function spansOf(
  passages: readonly RatedPassage[],
  anchors: readonly RatedUnit[],
  isManner: boolean,
  scores: ReadonlyMap<RatedUnit, number>,
): Span[] {
  const spans: Span[] = [];
  let left = MAX_WORDS;
  for (const anchor of anchors) {
    if (spans.length === MAX_SPANS) break;
    const units = passages[anchor.passage]?.units ?? [];
    if (spans.some((span) => span.units.includes(anchor))) continue;
    if (spans.some((span) => span.units.some((unit) => isBetterRow(unit, anchor)))) continue;
    const header = anchor.kind === 'row' ? units[anchor.header] : undefined;
    const hasHeader = spans.some((span) => span.header === header || includes(span, header));
    const needed = header && header !== anchor && !hasHeader ? header.words : 0;
    // Its citation counts as a word.
    if (anchor.words + needed + 1 > left) continue;
    const room = left - needed - 1;
    const grown = grow(units, anchor, room, isManner, scores).filter(
      (unit) => !spans.some((span) => span.units.includes(unit)),
    );
    const words = wordsIn(grown) + needed + 1;
    if (words > left) continue;
    spans.push({
      passage: anchor.passage,
      units: grown,
      header: header && !grown.includes(header) && !hasHeader ? header : undefined,
    });
    left -= words;
  }
  return spans;
}

/** Whether a row of the same table has all words of the question that this one has, and more. */
const isBetterRow = (one: RatedUnit, { kind, passage, block, matched }: RatedUnit): boolean =>
  kind === 'row' &&
  one.passage === passage &&
  one.block === block &&
  one.matched.size > matched.size &&
  [...matched.keys()].every((term) => one.matched.has(term));

const includes = (span: Span, unit: RatedUnit | undefined): boolean =>
  unit !== undefined && span.units.includes(unit);

const wordsIn = (units: readonly Unit[]): number =>
  units.reduce((sum, { words }) => sum + Math.max(1, words), 0);

/** The units around an anchor that are needed to understand it, in their order. */
function grow(
  units: readonly RatedUnit[],
  anchor: RatedUnit,
  room: number,
  isManner: boolean,
  scores: ReadonlyMap<RatedUnit, number>,
): RatedUnit[] {
  const at = units.indexOf(anchor);
  if (anchor.kind === 'row') return [anchor];
  const isSteps = anchor.kind === 'step' && isManner;
  const limit = Math.min(room, isSteps ? STEPS_WORDS : SPAN_WORDS);
  let [start, end] = [at, at + 1];
  let words = anchor.words;
  const fits = (index: number) => {
    const unit = units[index];
    if (!unit || unit.section !== anchor.section || unit.kind === 'heading') return false;
    if (unit.kind === 'row' || unit.asks) return false;
    return words + Math.max(1, unit.words) <= limit;
  };
  const add = (index: number) => {
    words += Math.max(1, units[index]?.words ?? 0);
    if (index < start) start = index;
    else end = index + 1;
  };
  if (isSteps) {
    // From the first step on, if the anchor is still reached.
    let first = at;
    while (units[first - 1]?.block === anchor.block) first--;
    if (wordsIn(units.slice(first, at + 1)) <= limit) {
      while (start > first) add(start - 1);
    }
    while (fits(end) && units[end]?.block === anchor.block) add(end);
    return units.slice(start, end);
  }
  // The answer may stand before or after the words of the question, which should be in the middle.
  const wordsBetween = (from: number, to: number) => wordsIn(units.slice(from, to));
  const scoreOf = (index: number) => {
    const unit = units[index];
    return unit ? (scores.get(unit) ?? -Infinity) : -Infinity;
  };
  const isNeeded = (index: number, difference: number) =>
    anchor.isClause ||
    anchor.kind !== 'sentence' ||
    units[index]?.isLead === true ||
    scoreOf(index) >= scoreOf(at) - difference;
  for (;;) {
    const before = fits(start - 1) && isNeeded(start - 1, MAX_DIFFERENCE_BEFORE);
    const after =
      fits(end) && (units[end - 1]?.isLead === true || isNeeded(end, MAX_DIFFERENCE_AFTER));
    if (!before && !after) break;
    const prefersAfter = anchor.isClause
      ? wordsBetween(at + 1, end) <= wordsBetween(start, at)
      : units[end - 1]?.isLead === true || scoreOf(end) + 0.5 >= scoreOf(start - 1);
    const isAfter = after && (!before || prefersAfter);
    add(isAfter ? end : start - 1);
  }
  while (end - 1 > at && units[end - 1]?.isLead) end--;
  return units.slice(start, end);
}

/** A span as a person reads it. */
export function render({ units, header }: Span): string {
  const isList = units.filter(({ mark }) => mark !== '').length > 1;
  const lines = header ? `${header.text}\n` : '';
  return (
    lines +
    units
      .map(
        ({ text, mark, separator }, index) =>
          `${index === 0 ? '' : separator}${isList ? mark : ''}${text}`,
      )
      .join('')
  );
}
