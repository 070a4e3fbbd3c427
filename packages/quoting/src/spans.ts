import { isOtherLanguage } from './calendar-names.js';
import { hasDenial } from './denials.js';
import type { AnswerType } from './question-type.js';
import { startWithName } from './name-before.js';
import type { QuotedParagraph } from './reading.js';
import { PRESENT } from './term-matcher.js';
import type { RatedPassage, RatedUnit } from './unit-features.js';
import type { Unit } from './units.js';

const MAX_SPANS = 4;
/**
 * Where the meaning is known, it tells well what answers best, and what is quoted beside it is short: with whole
 * paragraphs no more natural questions were answered rightly, and .05 more answers had over 90 words.
 */
const WORDS_TOGETHER = 110;
const SPAN_WORDS_BESIDE = 20;
const BLOCK_WORDS_BESIDE = 50;
/** Words up to which a span grows. */
const SPAN_WORDS = 50;
/** A sentence next to an anchor is quoted if its score is at most this much lower. */
const MAX_DIFFERENCE_BEFORE = 1;
const MAX_DIFFERENCE_AFTER = 5;
/** The limit for a sentence that adds no word of the question, or stands in the next paragraph. */
const MAX_DIFFERENCE_ELSEWHERE = 2;
const MAX_OPENING_WORDS = 5;
/** A longer sentence says something of its own. */
const MAX_RESTRICTION_WORDS = 20;
/**
 * The most words of a span of procedure steps, of a table with its introduction, and of clauses in scripts in
 * which each character counts as half a word.
 */
const BLOCK_WORDS = 90;

/** Consecutive units of one passage. */
export interface Span {
  readonly passage: number;
  readonly units: readonly RatedUnit[];
  /** The row that names the columns, if it is not one of the units. */
  readonly header: RatedUnit | undefined;
}

/**
 * Chooses the spans to quote.
 *
 * @param anchors the units that answer, best first
 */
export function chooseSpans(
  passages: readonly RatedPassage[],
  anchors: readonly RatedUnit[],
  type: AnswerType | undefined,
  scores: ReadonlyMap<RatedUnit, number>,
  maxWords: number,
): Span[] {
  const spans: Span[] = [];
  let left = maxWords;
  const getScore = (unit: RatedUnit | undefined) => (unit && scores.get(unit)) ?? -Infinity;
  const languageOf = (unit: RatedUnit | undefined) =>
    passages[unit?.passage ?? -1]?.source.language;
  for (const anchor of anchors) {
    if (spans.length === MAX_SPANS) break;
    const units = passages[anchor.passage]?.units ?? [];
    if (spans.some((span) => span.units.includes(anchor))) continue;
    if (spans.some((span) => span.units.some((unit) => isBetterRow(unit, anchor)))) continue;
    if (spans.some((span) => span.units.some(({ text }) => text === anchor.text))) continue;
    // What another language has beside the best answer says the same, or something else.
    if (spans.length > 0 && isOtherLanguage(languageOf(anchor), languageOf(anchors[0]))) continue;
    const isFar = getScore(anchor) < getScore(anchors[0]) - MAX_DIFFERENCE_ELSEWHERE;
    if (isFar && !anchor.isNamed && !addsWord(spans, anchor)) continue;
    const header = anchor.kind === 'row' ? units[anchor.header] : undefined;
    const hasHeader = spans.some((span) => span.header === header || includes(span, header));
    const needed = header && header !== anchor && !hasHeader ? header.words : 0;
    const isBeside = spans.length > 0 && anchor.features['whole'] !== undefined;
    const free = isBeside ? left - Math.max(0, maxWords - WORDS_TOGETHER) : left;
    // Its citation counts as a word.
    if (anchor.words + needed + 1 > free) continue;
    const room = free - needed - 1;
    const language = passages[anchor.passage]?.language ?? null;
    const grown = growSpan(units, anchor, { room, type, language, isBeside }, scores).filter(
      (unit) => !spans.some((span) => span.units.includes(unit)),
    );
    const words = sumWords(grown) + needed + 1;
    if (words > free) continue;
    spans.push({
      passage: anchor.passage,
      units: grown,
      header: header && !grown.includes(header) && !hasHeader ? header : undefined,
    });
    left -= words;
  }
  const sorted = sortInReadingOrder(spans, passages);
  return type === 'manner' ? sorted : putFirst(sorted, anchors[0]);
}

/** Puts the span that answers best first, with the rows of its table. */
function putFirst(spans: readonly Span[], best: RatedUnit | undefined): Span[] {
  const at = spans.findIndex((span) => includes(span, best));
  let [start, end] = [Math.max(0, at), at + 1];
  while (isSameTable(spans[start - 1], spans[start])) start--;
  while (isSameTable(spans[end - 1], spans[end])) end++;
  return [...spans.slice(start, end), ...spans.slice(0, start), ...spans.slice(end)];
}

/** Keeps the order of passages, sorts the spans of each as in its text, and joins adjacent ones. */
function sortInReadingOrder(spans: readonly Span[], passages: readonly RatedPassage[]): Span[] {
  return [...new Set(spans.map(({ passage }) => passage))].flatMap((passage) => {
    const findIndex = (unit: RatedUnit | undefined) =>
      unit ? (passages[passage]?.units.indexOf(unit) ?? -1) : -1;
    const joined: Span[] = [];
    const own = spans.filter((span) => span.passage === passage);
    for (const span of own.sort(
      (one, other) => findIndex(one.units[0]) - findIndex(other.units[0]),
    )) {
      const before = joined.at(-1);
      const [last, first] = [before?.units.at(-1), span.units[0]];
      const meets = last?.section === first?.section && findIndex(last) + 1 === findIndex(first);
      if (!before || !meets) joined.push(span);
      else {
        const header = before.header ?? span.header;
        joined[joined.length - 1] = { ...before, header, units: [...before.units, ...span.units] };
      }
    }
    return joined;
  });
}

/** Whether a unit has a word of the question that nothing quoted so far has. */
const addsWord = (spans: readonly Span[], { matched }: RatedUnit): boolean =>
  [...matched].some(
    ([term, credit]) =>
      credit >= PRESENT &&
      !spans.some(({ units }) => units.some(({ matchedInContext }) => matchedInContext.has(term))),
  );

/**
 * Whether another row of the table has all words of the question that this one has, and more. Rows that the
 * question names are quoted in any case.
 */
const isBetterRow = (
  one: RatedUnit,
  { kind, passage, block, matched, isNamed }: RatedUnit,
): boolean =>
  kind === 'row' &&
  !isNamed &&
  one.passage === passage &&
  one.block === block &&
  one.matched.size > matched.size &&
  [...matched.keys()].every((term) => one.matched.has(term));

const includes = (span: Span, unit: RatedUnit | undefined): boolean =>
  unit !== undefined && span.units.includes(unit);

const sumWords = (units: readonly Unit[]): number =>
  units.reduce((sum, { words }) => sum + Math.max(1, words), 0);

/** Whether a sentence is as short as a heading, and its paragraph goes on: "Article 14: meetings. …". */
const isOpening = ({ words, kind, block, separator }: Unit, next: Unit | undefined): boolean =>
  kind === 'sentence' &&
  separator === '\n' &&
  words <= MAX_OPENING_WORDS &&
  next?.block === block &&
  next.separator !== '\n';

interface GrowthOptions {
  /** The most words. */
  readonly room: number;
  readonly type: AnswerType | undefined;
  /** Whether another span answers better. */
  readonly isBeside: boolean;
  /** BCP 47, of the text. */
  readonly language: string | null;
}

/** Whether a unit has a word of the question that neither an anchor nor its heading has. */
const addsWordTo = (anchor: RatedUnit, unit: RatedUnit | undefined): boolean =>
  [...(unit?.matched ?? [])].some(
    ([term, credit]) => credit >= PRESENT && !anchor.matchedInContext.has(term),
  );

/** Whether a unit goes on from the one before it and restricts what that says: "Workshop staff may not." */
const restricts = (
  unit: RatedUnit | undefined,
  before: RatedUnit | undefined,
  language: string | null,
): boolean =>
  unit !== undefined &&
  before !== undefined &&
  unit.block === before.block &&
  unit.kind === before.kind &&
  (unit.kind === 'sentence' || unit.kind === 'item') &&
  !unit.asks &&
  !unit.isLead &&
  unit.words <= MAX_RESTRICTION_WORDS &&
  hasDenial(unit.text, language);

/** Whether a unit has a name of the question that others and their heading lack. */
const addsNameTo = (units: readonly RatedUnit[], unit: RatedUnit | undefined): boolean =>
  [...(unit?.matched ?? [])].some(
    ([term, credit]) =>
      credit >= PRESENT &&
      term.mayBeName &&
      !units.some(({ matchedInContext }) => matchedInContext.has(term)),
  );

/** The units around an anchor that are needed to understand it, in their order. */
function growSpan(
  units: readonly RatedUnit[],
  anchor: RatedUnit,
  { room, type, language, isBeside }: GrowthOptions,
  scores: ReadonlyMap<RatedUnit, number>,
): RatedUnit[] {
  const at = units.indexOf(anchor);
  if (anchor.kind === 'row') return [anchor];
  const isSteps = anchor.kind === 'step' && type === 'manner';
  // "The notice periods are:", with the table or the list that follows.
  const next = units[at + 1];
  const introduced =
    anchor.isLead && (next?.kind === 'row' || next?.kind === 'item' || next?.kind === 'step')
      ? next.block
      : undefined;
  const isLong = isSteps || anchor.isClause || introduced !== undefined;
  const [spanWords, blockWords] = isBeside
    ? [SPAN_WORDS_BESIDE, BLOCK_WORDS_BESIDE]
    : [SPAN_WORDS, BLOCK_WORDS];
  const limit = Math.min(room, isLong ? blockWords : spanWords);
  let [start, end] = [at, at + 1];
  let words = anchor.words;
  const fits = (index: number) => {
    const unit = units[index];
    if (!unit || unit.section !== anchor.section || unit.kind === 'heading') return false;
    const isOther = unit.block !== introduced;
    if (isOther && (unit.kind === 'row' || (introduced !== undefined && index > at))) return false;
    if (unit.asks) return false;
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
    if (sumWords(units.slice(first, at + 1)) <= limit) {
      while (start > first) add(start - 1);
    }
    while (fits(end) && units[end]?.block === anchor.block) add(end);
    return units.slice(start, end);
  }
  // The answer may stand before or after the words of the question, which should be in the middle.
  const sumWordsBetween = (from: number, to: number) => sumWords(units.slice(from, to));
  const getScore = (index: number) => {
    const unit = units[index];
    return unit ? (scores.get(unit) ?? -Infinity) : -Infinity;
  };
  const isBesideAnchor = (index: number) => units[index]?.block === anchor.block;
  const isNeeded = (index: number, difference: number) =>
    anchor.isClause ||
    anchor.kind !== 'sentence' ||
    units[index]?.isLead === true ||
    (isBesideAnchor(index) && addsWordTo(anchor, units[index])) ||
    getScore(index) >=
      getScore(at) -
        (isBesideAnchor(index) ? difference : Math.min(difference, MAX_DIFFERENCE_ELSEWHERE));
  for (;;) {
    const before = fits(start - 1) && isNeeded(start - 1, MAX_DIFFERENCE_BEFORE);
    const after =
      fits(end) &&
      (units[end - 1]?.isLead === true ||
        (end - 1 === at && isOpening(anchor, units[end])) ||
        units[end]?.block === introduced ||
        isNeeded(end, MAX_DIFFERENCE_AFTER));
    if (!before && !after) break;
    const prefersAfter = anchor.isClause
      ? sumWordsBetween(at + 1, end) <= sumWordsBetween(start, at)
      : units[end - 1]?.isLead === true || getScore(end) + 0.5 >= getScore(start - 1);
    const isAfter = after && (!before || prefersAfter);
    add(isAfter ? end : start - 1);
  }
  const introducesNothing = (unit: RatedUnit | undefined) =>
    unit !== undefined && (unit.isLead || isOpening(unit, units[end]));
  while (end - 1 > at && introducesNothing(units[end - 1])) end--;
  while (
    restricts(units[end], units[end - 1], language) &&
    sumWordsBetween(start, end + 1) <= room
  ) {
    end++;
  }
  // "Sofia Renn runs the bakery. It has two ovens. She opens at six."
  for (const index of [start - 1, start - 2]) {
    const isNamed = isBesideAnchor(index) && addsNameTo(units.slice(start, end), units[index]);
    if (isNamed && sumWordsBetween(index, end) <= limit) start = index;
  }
  if (type === 'person') {
    const named = startWithName(units, [start, end], language);
    if (sumWordsBetween(named, end) <= room) start = named;
  }
  return units.slice(start, end);
}

/** Joins rows of one table to a paragraph under the names of its columns; other spans stand alone. */
export function buildParagraphs(spans: readonly Span[]): QuotedParagraph[] {
  const paragraphs: (QuotedParagraph & { readonly spans: readonly Span[] })[] = [];
  for (const span of spans) {
    const before = paragraphs.at(-1);
    const together = before && isSameTable(before.spans.at(-1), span);
    if (together) paragraphs.pop();
    const all = [...(together ? before.spans : []), span];
    const header = all.find((one) => one.header)?.header;
    const text = [...(header ? [header.text] : []), ...all.map(renderSpan)].join('\n');
    paragraphs.push({ passage: span.passage, text, spans: all });
  }
  return paragraphs.map(({ passage, text }) => ({ passage, text }));
}

function isSameTable(one: Span | undefined, other: Span | undefined): boolean {
  const [last, first] = [one?.units.at(-1), other?.units[0]];
  return (
    last?.kind === 'row' &&
    first?.kind === 'row' &&
    last.passage === first.passage &&
    last.block === first.block
  );
}

function renderSpan({ units }: Span): string {
  const isList = units.filter(({ mark }) => mark !== '').length > 1;
  return units
    .map(
      ({ text, mark, separator }, index) =>
        `${index === 0 ? '' : separator}${isList ? mark : ''}${text}`,
    )
    .join('');
}
