import { segmentByWords } from '@latchkey/text/language/segment';
import { sentences } from '@latchkey/text/sentences';

/** The maximum number of words of a quotation, including its citations. */
export const MAX_WORDS = 80;
/** A longer sentence is divided, so that a part of it can be quoted. */
const MAX_SENTENCE_WORDS = 60;
/** In scripts where spaces end clauses, a longer clause is divided. */
const MAX_CLAUSE_WORDS = 40;
/** A line with fewer words and without an end mark, before another line, is taken for a heading. */
const MAX_HEADING_WORDS = 12;

/** A `[1]` of the document would look like a citation of the answer. */
const OWN_CITATIONS = /(?<![^\S\n])[^\S\n]*\[\d[\d\s,]{0,40}\]/g;
const LINK = /!?\[([^\][\n]{0,300})\]\([^()\n]{0,500}\)/g;
const LEADING_MARKS = /^(?:[\s#>*•·‣▪|–—-]|\d{1,3}[.)](?=\s))+/u;
const EMPHASIS = /\*{1,3}|_{2,3}|~~|`{1,3}|(?<=^|\s)_(?=\S)|(?<=\S)_(?=\s|[.,;:!?]|$)/g;
const TABLE_EDGE = /\|/g;
const LETTER = /[\p{L}\p{N}]/u;
const ENDS_AS_QUESTION = /[?？؟][\s"'”’»)）」』]*$/u;
const ENDS_AS_SENTENCE = /[\p{Terminal_Punctuation}][\s"'”’»)）」』]*$/u;
/** Scripts that are written without spaces between words. */
const WITHOUT_SPACES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\u3000-\u303f\uff00-\uff60]/gu;
/** In these, spaces stand where other scripts have commas and full stops. */
const SPACES_END_CLAUSES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const AFTER_CLAUSE = /(?<=[,;:，；：、،؛—–])/u;
const AFTER_SPACE = /(?<=\s)(?=\S)/u;

export interface ReadableSentence {
  /** As a person reads it, without marks of Markdown. */
  readonly text: string;
  /** Where it stands in the text of its passage, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly words: number;
  /** Whether it introduces the sentences after it instead of saying something: a heading or a question. */
  readonly isHeading: boolean;
  /**
   * Whether it continues the previous clause. Only in scripts in which nothing marks which spaces end a
   * sentence.
   */
  readonly continues: boolean;
}

/** The number of words; in scripts without spaces two characters count as one. */
export function countWords(text: string): number {
  let characters = 0;
  const rest = text.replace(WITHOUT_SPACES, () => {
    characters++;
    return ' ';
  });
  const words = rest.split(/\s+/).filter((word) => LETTER.test(word)).length;
  return words + Math.ceil(characters / 2);
}

/** The sentences of a passage as a person reads them, without marks of Markdown. */
export function readableSentences(text: string): ReadableSentence[] {
  const lines = linesOf(text);
  const last = lines.findLastIndex(({ line }) => LETTER.test(line));
  return lines.flatMap(({ line, start }, index) => {
    const isMarkedHeading = /^\s*#/.test(line);
    const content = line.replace(LEADING_MARKS, '');
    const isWholeLine = content === line;
    const pieces = piecesOf(content, start + line.length - content.length);
    return pieces.map(({ raw, from, continues }) => {
      const sentence = readable(raw);
      const words = countWords(sentence);
      const isHeading =
        ENDS_AS_QUESTION.test(sentence) ||
        isMarkedHeading ||
        (index < last &&
          pieces.length === 1 &&
          isWholeLine &&
          sentence === line.trim() &&
          !ENDS_AS_SENTENCE.test(sentence) &&
          words <= MAX_HEADING_WORDS);
      return { text: sentence, from, to: from + raw.length, words, isHeading, continues };
    });
  });
}

function linesOf(text: string): { line: string; start: number }[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const at = start;
    start += line.length + 1;
    return { line, start: at };
  });
}

/** The sentences and clauses of a line that say something, with their places. */
function piecesOf(line: string, start: number) {
  const pieces: { raw: string; from: number; continues: boolean }[] = [];
  let at = start;
  for (const sentence of sentences(line)) {
    const hasClauseSpaces = SPACES_END_CLAUSES.test(sentence);
    let isFirst = true;
    for (const part of hasClauseSpaces ? clausesOf(sentence) : divide(sentence)) {
      const trimmed = hasClauseSpaces ? part : part.trim();
      const from = at + (hasClauseSpaces ? 0 : part.length - part.trimStart().length);
      at += part.length;
      if (!LETTER.test(readable(part))) continue;
      pieces.push({ raw: trimmed, from, continues: hasClauseSpaces && !isFirst });
      isFirst = false;
    }
  }
  return pieces;
}

/** A part of a text without marks of Markdown and without citations of its own. */
const readable = (raw: string): string => {
  const plain = raw
    .replace(OWN_CITATIONS, '')
    .replace(LINK, '$1')
    .replace(EMPHASIS, '')
    .replace(TABLE_EDGE, ' | ')
    .replace(/^\s*\| | \|\s*$/g, '');
  return SPACES_END_CLAUSES.test(plain) ? plain : plain.trim();
};

/** Divides a sentence that is too long to be quoted into groups of clauses. */
const divide = (sentence: string): string[] =>
  countWords(sentence) <= MAX_SENTENCE_WORDS
    ? [sentence]
    : group(
        sentence
          .split(AFTER_CLAUSE)
          .flatMap((clause) =>
            countWords(clause) <= MAX_SENTENCE_WORDS / 2 ? [clause] : wordsOf(clause),
          ),
        MAX_SENTENCE_WORDS,
      );

/** The parts of a sentence between spaces, each with the space after it, so they can be joined. */
const clausesOf = (sentence: string): string[] =>
  sentence
    .split(AFTER_SPACE)
    .flatMap((clause) =>
      countWords(clause) <= MAX_CLAUSE_WORDS ? [clause] : group(wordsOf(clause), MAX_CLAUSE_WORDS),
    );

/** Joins parts of a text up to a number of words. */
function group(parts: readonly string[], limit: number): string[] {
  const groups: string[] = [];
  let words = 0;
  for (const part of parts) {
    const more = countWords(part);
    if (groups.length > 0 && words + more <= limit) {
      groups.push(`${groups.pop() ?? ''}${part}`);
      words += more;
    } else {
      groups.push(part);
      words = more;
    }
  }
  return groups;
}

/** The words of a clause; a run of characters without any boundary is cut. */
const wordsOf = (clause: string): string[] =>
  segmentByWords(clause).flatMap(({ segment }) =>
    segment.length <= MAX_WORDS ? [segment] : (segment.match(/.{1,80}/gsu) ?? []),
  );
