import { stem, tokenize } from '@latchkey/text/tokenize';
import { asksPrice } from './asked-price.js';
import type { WeightedQuestion } from './asked-question.js';
import { CURRENCY } from './currencies.js';
import { countWords, LETTER, stripMarkdown } from './readable-text.js';
import type { Quote } from './reading.js';
import { PRESENT } from './term-matcher.js';
import type { RatedPassage, RatedUnit } from './unit-features.js';
import { findQuantities } from './written-quantities.js';
import { findTimes } from './written-times.js';

/** A longer cell is a text, and no value. */
const MAX_CELL_WORDS = 12;
/** A longer sentence is a list or broken text, in which a single value says little. */
const MAX_SENTENCE = 500;
/** How much better the name of a column must fit than that of any other. */
const MIN_LEAD = 2;
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
  const header = units[unit.header];
  const found = () => {
    if (unit.kind === 'row') {
      const names = splitCells(sliceUnit(source.text, header));
      const row = { cells: splitCells(raw), names, isNamed: unit.isNamed };
      return header === unit ? undefined : findCell(question, row, source.language);
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

const sliceUnit = (text: string, unit: RatedUnit | undefined): string =>
  unit ? text.slice(unit.start, unit.end) : '';

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
  const places = () => {
    const times = findTimes(text, language, quantities);
    if (type === 'time' && !forPrice) return times;
    const counts = quantities.filter(
      (one) =>
        one.unit === 'time' || !times.some((time) => time.start < one.end && one.start < time.end),
    );
    if (forPrice) return counts.filter(({ unit }) => unit === 'money');
    const asked = counts.filter(({ unit }) => unit === 'asked');
    return asked.length > 0 ? asked : counts;
  };
  const found = places().map(({ start, end }) => text.slice(start, end));
  const said = question.toLowerCase();
  const values = new Set(found.filter((one) => !said.includes(one.toLowerCase())));
  return values.size === 1 ? [...values][0] : undefined;
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
  { type, asksWhether, text: question, matcher }: WeightedQuestion,
  { cells, names, isNamed }: Row,
  language: string | null,
): Cell | undefined {
  const forPrice = asksPrice(question);
  const isYesOrNo = asksWhether && !forPrice && ENDS_AS_QUESTION.test(question);
  if (type === 'manner' || isYesOrNo || names.length !== cells.length) return undefined;
  const match = (text: string) =>
    matcher.match(tokenize(text, language).map((word) => stem(word, language)));
  const isNumeric = forPrice || type === 'number' || type === 'time';
  const said = question.toLowerCase();
  const columns = cells
    .map((cell, index) => ({ cell, name: names[index]?.text ?? '' }))
    .slice(isNamed || isNumeric || !cells.slice(1).some(({ text }) => match(text).size > 0) ? 1 : 0)
    .filter(({ cell: { text } }) => LETTER.test(text) && countWords(text) <= MAX_CELL_WORDS)
    .filter(({ cell }) => !said.includes(cell.text.toLowerCase()))
    .map((column) => ({
      ...column,
      score: [...match(column.name)].reduce((sum, [term, credit]) => sum + credit * term.weight, 0),
    }));
  const [best, second] = columns.toSorted((one, other) => other.score - one.score);
  if (best && best.score > 0 && best.score >= MIN_LEAD * (second?.score ?? 0)) return best.cell;
  if (!isNumeric) return undefined;
  const fitting = columns.filter(
    ({ name, score, cell: { text } }) =>
      score === best?.score &&
      BEGINS_WITH_NUMBER.test(text) &&
      (!forPrice || CURRENCY.test(`${name} ${text}`)) &&
      // A cell that has words of the question is why the row is quoted.
      match(text).size === 0,
  );
  return fitting.length === 1 ? fitting[0]?.cell : undefined;
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
