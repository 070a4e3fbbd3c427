import { stem, tokenize } from '@latchkey/text/tokenize';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { findAskedCount } from './asked-count.js';
import { asksPrice, namesPrice } from './asked-price.js';
import type { WeightedQuestion } from './asked-question.js';
import { isOtherLanguage } from './calendar-names.js';
import { CURRENCY } from './currencies.js';
import { countWords, LETTER, stripMarkdown } from './readable-text.js';
import type { Quote } from './reading.js';
import { PRESENT } from './term-matcher.js';
import type { RatedPassage, RatedUnit } from './unit-features.js';
import { findQuantities, type Quantity } from './written-quantities.js';
import { findTimes } from './written-times.js';

/** A longer cell is a text, and no value. */
const MAX_CELL_WORDS = 12;
/** A longer sentence is a list or broken text, in which a single value says little. */
const MAX_SENTENCE = 500;
/** How much better the name of a column must fit than that of any other. */
const MIN_LEAD = 2;
/** What tables have in place of a value. */
const NOTHING = /^(?:[-–—−/.·]*|n\/?a)$/i;
/** "EUR 12", "(135)", "ab 3" */
const BEGINS_WITH_NUMBER = /^[\p{L}\p{Sc}]{0,3}[ (]?[-–+~]?\p{Nd}/u;
/** Characters that count things in scripts without spaces. */
const HAN_OR_KANA = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}]$/u;
const ENDS_AS_QUESTION = /[?？؟]\s*$/u;

/**
 * Finds the value that a question asks for in the unit that answers it: the only amount, number or time of a
 * sentence that fits, or the cell in the column that is asked for.
 *
 * @returns where it stands in the text of the passage; undefined if no value is asked for, or not exactly one fits
 */
export function findAskedValue(
  question: WeightedQuestion,
  unit: RatedUnit,
  { source, units, language }: RatedPassage,
): Quote | undefined {
  const raw = source.text.slice(unit.start, unit.end);
  // Words do not show what fits in a text of another language.
  if (isOtherLanguage(detectQuestionLanguage(question.text), source.language)) return undefined;
  const found = () => {
    if (unit.kind === 'row') {
      const row = readRow(unit, units, source.text);
      return row && findCell(question, row, source.language);
    }
    // A step says what to do, and a lead what follows.
    const states = unit.kind !== 'step' && !unit.isLead && unit.text.length <= MAX_SENTENCE;
    const text = states ? findInText(question, unit.text, language) : undefined;
    const start = text === undefined ? -1 : raw.indexOf(text);
    return text === undefined || start < 0 ? undefined : { text, start };
  };
  const value = found();
  if (!value) return undefined;
  const start = unit.start + value.start;
  return { passage: unit.passage, start, end: start + value.text.length, text: value.text };
}

/** Whether a question asks for a column of which a row has no value, as “–”. */
export function lacksAskedCell(
  question: WeightedQuestion,
  unit: RatedUnit,
  { source, units }: RatedPassage,
): boolean {
  const row = readRow(unit, units, source.text);
  if (!row || row.names.length !== row.cells.length) return false;
  const [best, second] = row.names
    .map(({ text }, index) => ({ index, score: scoreName(question, text, source.language) }))
    .slice(1)
    .sort((one, other) => other.score - one.score);
  const isAsked = best && best.score > 0 && best.score >= MIN_LEAD * (second?.score ?? 0);
  return isAsked === true && NOTHING.test(row.cells[best.index]?.text ?? '');
}

/** The words of the question that the name of a column has, by weight. */
const scoreName = ({ matcher }: WeightedQuestion, name: string, language: string | null): number =>
  [...matcher.match(tokenize(name, language).map((word) => stem(word, language)))].reduce(
    (sum, [term, credit]) => sum + credit * term.weight,
    0,
  );

function readRow(unit: RatedUnit, units: readonly RatedUnit[], text: string): Row | undefined {
  const header = units[unit.header];
  if (unit.kind !== 'row' || !header || header === unit) return undefined;
  const split = ({ start, end }: RatedUnit) => splitCells(text.slice(start, end));
  return { cells: split(unit), names: split(header), isNamed: unit.isNamed };
}

/** What fits the question in a sentence; undefined unless it is exactly one. */
function findInText(
  { type, text: question, matcher, telling }: WeightedQuestion,
  text: string,
  language: string | null,
): string | undefined {
  const forPrice = asksPrice(question);
  if (!forPrice && type !== 'number' && type !== 'time') return undefined;
  const isAsked = (word: string) =>
    HAN_OR_KANA.test(word)
      ? question.includes(word)
      : [...matcher.match([stem(word.toLowerCase(), language)])].some(
          ([term, credit]) => credit >= PRESENT && telling.includes(term),
        );
  const quantities = findQuantities(text, language, isAsked);
  const count = findAskedCount(question);
  const places = () => {
    const times = findTimes(text, language, quantities);
    if (type === 'time' && !forPrice) return times;
    const counts = quantities.filter(
      (one) =>
        one.unit === 'time' || !times.some((time) => time.start < one.end && one.start < time.end),
    );
    if (forPrice) return counts.filter(({ unit }) => unit === 'money');
    const asked = counts.filter(({ unit }) => unit === 'asked');
    return asked.length > 0 ? asked : counts.filter((one) => isCountOf(count, one, text, isAsked));
  };
  const found = places().map(({ start, end }) => text.slice(start, end));
  const said = question.toLowerCase();
  const values = new Set(found.filter((one) => !said.includes(one.toLowerCase())));
  return values.size === 1 ? [...values][0] : undefined;
}

/** Whether a quantity can be what is counted: no price for “how long”, and no duration for “how many keys”. */
function isCountOf(
  count: ReturnType<typeof findAskedCount>,
  { start, end, unit }: Quantity,
  text: string,
  isAsked: (word: string) => boolean,
): boolean {
  if (count === undefined) return true;
  if (unit === 'money') return false;
  return (
    count === 'long' ||
    unit === 'none' ||
    (text.slice(start, end).match(/\p{L}[\p{L}\p{M}]*/gu) ?? []).some(isAsked)
  );
}

/** A cell without marks of Markdown, and where it stands in its row. */
interface Cell {
  readonly text: string;
  readonly start: number;
}

interface Row {
  readonly cells: readonly Cell[];
  /** The names of the columns. */
  readonly names: readonly Cell[];
  /** Whether the question has its first cell. */
  readonly isNamed: boolean;
}

/** The cell of a row in the column that the question asks for. */
function findCell(
  question: WeightedQuestion,
  { cells, names, isNamed }: Row,
  language: string | null,
): Cell | undefined {
  const { type, asksWhether, text, matcher } = question;
  const forPrice = asksPrice(text);
  const isYesOrNo = asksWhether && !forPrice && ENDS_AS_QUESTION.test(text);
  if (type === 'manner' || isYesOrNo || names.length !== cells.length) return undefined;
  const hasAsked = (one: string) =>
    matcher.match(tokenize(one, language).map((word) => stem(word, language))).size > 0;
  const isNumeric = forPrice || type === 'number' || type === 'time';
  const said = text.toLowerCase();
  const columns = cells
    .map((cell, index) => ({ cell, name: names[index]?.text ?? '' }))
    .slice(isNamed || isNumeric || !cells.slice(1).some((cell) => hasAsked(cell.text)) ? 1 : 0)
    .map((column) => ({ ...column, score: scoreName(question, column.name, language) }))
    .sort((one, other) => other.score - one.score);
  const mayAnswer = ({ text: value }: Cell) =>
    LETTER.test(value) &&
    countWords(value) <= MAX_CELL_WORDS &&
    !said.includes(value.toLowerCase()) &&
    !(type === 'person' && BEGINS_WITH_NUMBER.test(value));
  const [best, second] = columns;
  const next = second?.score ?? 0;
  // Which column answers “which” and “where” is less sure.
  const leads = isNumeric || type === 'person' ? (best?.score ?? 0) >= MIN_LEAD * next : next === 0;
  if (best && best.score > 0 && leads) {
    return mayAnswer(best.cell) ? best.cell : undefined;
  }
  if (!isNumeric) return undefined;
  const fitting = columns.filter(
    ({ name, score, cell }) =>
      score === best?.score &&
      mayAnswer(cell) &&
      BEGINS_WITH_NUMBER.test(cell.text) &&
      (!forPrice || CURRENCY.test(`${name} ${cell.text}`)) &&
      // A cell that has words of the question is why the row is quoted.
      !hasAsked(cell.text),
  );
  const prices = columns.filter(
    ({ name, cell }) => forPrice && mayAnswer(cell) && namesPrice(name),
  );
  const [only, other] = prices.length > 0 ? prices : fitting;
  return other ? undefined : only?.cell;
}

function splitCells(row: string): Cell[] {
  let at = 0;
  const cells = row.split('|').map((part): Cell => {
    const text = stripMarkdown(part);
    const start = at + Math.max(0, part.indexOf(text));
    at += part.length + 1;
    return { text, start };
  });
  // Outside the first and the last line there is nothing.
  return cells.slice(row.startsWith('|') ? 1 : 0, row.endsWith('|') ? -1 : undefined);
}
