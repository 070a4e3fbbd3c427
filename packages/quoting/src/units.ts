import { countWords, LETTER, splitParts, stripMarkdown } from './readable-text.js';

/** The smallest part of a passage that is quoted: a sentence, a clause, an item, a row. */
export interface Unit {
  readonly kind: 'sentence' | 'item' | 'step' | 'row' | 'heading';
  /** Readable text, without Markdown marks and without the mark of its item. */
  readonly text: string;
  /** Where it stands in the text of its passage, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly words: number;
  /** The paragraph, list or table that it is part of. */
  readonly block: number;
  /** The index of the heading above it; -1 for none in its passage. */
  readonly section: number;
  /** For a row, the index of the first row of its table, which names the columns; -1 if none does. */
  readonly header: number;
  /** The separator between it and the unit before, if both are quoted. */
  readonly separator: '' | ' ' | '\n';
  /** The number of a step, or the bullet of an item, before its first sentence. */
  readonly mark: string;
  /** Whether it is a question, which states nothing. */
  readonly asks: boolean;
  /** Whether it introduces what follows. */
  readonly isLead: boolean;
  /** A part of a sentence, in scripts in which nothing marks where sentences end. */
  readonly isClause: boolean;
}

const ROW = /^\s*\|.*\|\s*$/;
const HEADING_MARK = /^\s*#{1,6}\s/;
const STEP = /^\s*(?:\(?\d{1,3}[.)]|[①-⑳])\s+/u;
const ITEM = /^\s*(?:[-*•·‣▪–—○●]\s+|[（(]?[一二三四五六七八九十\d]{1,2}[）)、]\s*)/u;
const QUOTE_MARK = /^\s*(?:>\s*)+/;
const ENDS_AS_QUESTION = /[?？؟;][\s"'”’»)）」』]*$/u;
const ENDS_AS_LEAD = /[:：][\s"'”’»)）」』]*$/u;
const ENDS_AS_SENTENCE = /[\p{Terminal_Punctuation}][\s"'”’»)）」』]*$/u;
const SEMICOLON = /;[\s"'”’»)]*$/;
const GREEK = /\p{Script=Greek}/u;
/** A line with more words is no heading. */
const MAX_HEADING_WORDS = 12;
/** Separates the names of headings in the heading path of a passage. */
export const HEADING_SEPARATOR = / › | \/ /;

/** Whether a unit states something: it is neither a heading nor a question. */
export const isStatement = ({ kind, asks }: Pick<Unit, 'kind' | 'asks'>): boolean =>
  kind !== 'heading' && !asks;

/**
 * Splits the text of a passage into units that can be quoted.
 *
 * @param heading the headings that the passage stands under, as the search gives them
 * @param columns the names of the columns of its table, where its rows are known; empty if it has none
 */
export function splitUnits(
  text: string,
  heading: string | null,
  columns?: readonly string[],
): Unit[] {
  const headings = new Set((heading ?? '').split(HEADING_SEPARATOR).map(toComparable));
  const units: Unit[] = [];
  const lines = splitLines(text);
  const last = lines.findLastIndex(({ line }) => LETTER.test(line));
  let block = 0;
  let section = -1;
  let header = -1;
  let before: Unit['kind'] | 'nothing' = 'nothing';
  for (const [index, { line, start }] of lines.entries()) {
    if (!LETTER.test(line)) {
      if (line.trim() === '') before = 'nothing';
      continue;
    }
    const kind = detectKind(line, {
      isKnownHeading: headings.has(toComparable(line)),
      isAlone: before === 'nothing' && index < last && !ENDS_AS_LEAD.test(units.at(-1)?.text ?? ''),
    });
    if (kind !== before || kind === 'heading') block++;
    if (kind !== 'row') header = -1;
    else if (before !== 'row') header = columns?.length === 0 ? -1 : units.length;
    if (kind === 'heading') section = units.length;
    before = kind;
    const mark = kind === 'row' || kind === 'heading' ? '' : readMark(line);
    const from = start + mark.length;
    const content = line.slice(mark.length);
    const parts =
      kind === 'row' || kind === 'heading'
        ? [{ from: 0, to: content.length, continues: false }]
        : splitParts(content);
    let isFirst = true;
    for (const part of parts) {
      const raw = content.slice(part.from, part.to);
      const plain = stripMarkdown(raw);
      if (!LETTER.test(plain)) continue;
      const lead = raw.length - raw.trimStart().length;
      const begin = from + part.from + lead;
      // Chinese and Japanese have no space between sentences, Thai has one between clauses.
      const isApart = /\s/.test(text.slice(units.at(-1)?.end, begin));
      const isAsking =
        ENDS_AS_QUESTION.test(plain) && (!SEMICOLON.test(plain) || GREEK.test(plain));
      units.push({
        kind,
        text: plain,
        start: begin,
        end: from + part.from + raw.trimEnd().length,
        words: countWords(plain),
        block,
        section: kind === 'heading' ? -1 : section,
        header,
        separator: isFirst ? '\n' : isApart ? ' ' : '',
        mark: isFirst ? formatBullet(kind, mark) : '',
        asks: isAsking,
        isLead: kind === 'heading' || ENDS_AS_LEAD.test(plain),
        isClause: parts.some(({ continues }) => continues),
      });
      isFirst = false;
    }
  }
  return units;
}

function detectKind(
  line: string,
  { isKnownHeading, isAlone }: { isKnownHeading: boolean; isAlone: boolean },
): Unit['kind'] {
  if (isKnownHeading || HEADING_MARK.test(line)) return 'heading';
  if (ROW.test(line)) return 'row';
  if (STEP.test(line)) return 'step';
  if (ITEM.test(line)) return 'item';
  const text = line.trim();
  // A question that stands alone is answered by what follows.
  if (ENDS_AS_QUESTION.test(text) && !SEMICOLON.test(text) && isAlone) return 'heading';
  const isHeading =
    isAlone &&
    !ENDS_AS_SENTENCE.test(text) &&
    !/[\p{N}:：]/u.test(text) &&
    countWords(text) <= MAX_HEADING_WORDS;
  return isHeading ? 'heading' : 'sentence';
}

const readMark = (line: string): string => {
  const quote = QUOTE_MARK.exec(line)?.[0] ?? '';
  const rest = line.slice(quote.length);
  return `${quote}${(STEP.exec(rest) ?? ITEM.exec(rest))?.[0] ?? ''}`;
};

const formatBullet = (kind: Unit['kind'], mark: string): string =>
  kind === 'step' ? `${mark.trim()} ` : kind === 'item' ? '• ' : '';

const toComparable = (text: string): string =>
  stripMarkdown(text)
    .replace(/^#+\s*/, '')
    .trim();

function splitLines(text: string): { line: string; start: number }[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const at = start;
    start += line.length + 1;
    return { line, start: at };
  });
}
