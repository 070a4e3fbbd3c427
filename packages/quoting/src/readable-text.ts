import { segmentByWords } from '@latchkey/text/language/segment';
import { splitSentences } from '@latchkey/text/sentences';

export const LETTER = /[\p{L}\p{N}]/u;
/** A longer sentence is divided, so that a part of it can be quoted. */
const MAX_SENTENCE_WORDS = 60;
/** In scripts where spaces end clauses, a longer clause is divided. */
const MAX_CLAUSE_WORDS = 40;
const MAX_WORD_LENGTH = 80;

/** A `[1]` of the document would look like a citation of the answer. */
const OWN_CITATIONS = /(?<![^\S\n])[^\S\n]*\[\d[\d\s,]{0,40}\]/g;
const LINK = /!?\[([^\][\n]{0,300})\]\([^()\n]{0,500}\)/g;
const LEADING_MARKS = /^(?:[\s#>*•·‣▪|]|[-–—]\s)+/u;
const EMPHASIS = /\*{1,3}|_{2,3}|~~|`{1,3}|(?<=^|\s)_(?=\S)|(?<=\S)_(?=\s|[.,;:!?]|$)/g;
/** Scripts that are written without spaces between words. */
const WITHOUT_SPACES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\u3000-\u303f\uff00-\uff60]/gu;
/** In these, spaces stand where other scripts have commas and full stops. */
const SPACES_END_CLAUSES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const AFTER_CLAUSE = /(?<=[,;:，；：、،؛—–])/u;
const AFTER_SPACE = /(?<=\s)(?=\S)/u;

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

/** A part of a text without marks of Markdown and without citations of its own. */
export const stripMarkdown = (raw: string): string => {
  const plain = raw
    .replace(OWN_CITATIONS, '')
    .replace(LINK, '$1')
    .replace(EMPHASIS, '')
    .replace(LEADING_MARKS, '')
    .trim();
  if (!plain.includes('|')) return plain;
  const cells = plain.split('|').map((cell) => cell.trim());
  const first = cells.findIndex((cell) => cell !== '');
  return cells.slice(first, cells.findLastIndex((cell) => cell !== '') + 1).join(' | ');
};

interface Part {
  readonly from: number;
  readonly to: number;
  /** Whether it continues the clause before it: nothing marks which spaces end a sentence. */
  readonly continues: boolean;
}

/** Splits a line into sentences, or into clauses in scripts where nothing marks the ends of sentences. */
export function splitParts(line: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const sentence of splitSentences(line)) {
    const hasClauseSpaces = SPACES_END_CLAUSES.test(sentence);
    for (const [index, part] of (hasClauseSpaces ? splitClauses : splitLongSentence)(
      sentence,
    ).entries()) {
      const to = from + part.length;
      parts.push({ from, to, continues: index > 0 });
      from = to;
    }
  }
  return parts;
}

/** Divides a sentence that is too long to be quoted into groups of clauses. */
const splitLongSentence = (sentence: string): string[] =>
  countWords(sentence) <= MAX_SENTENCE_WORDS
    ? [sentence]
    : joinParts(
        sentence
          .split(AFTER_CLAUSE)
          .flatMap((clause) =>
            countWords(clause) <= MAX_SENTENCE_WORDS / 2 ? [clause] : splitWords(clause),
          ),
        MAX_SENTENCE_WORDS,
      );

/** The parts of a sentence between spaces, each with the space after it, so they can be joined. */
const splitClauses = (sentence: string): string[] =>
  sentence
    .split(AFTER_SPACE)
    .flatMap((clause) =>
      countWords(clause) <= MAX_CLAUSE_WORDS
        ? [clause]
        : joinParts(splitWords(clause), MAX_CLAUSE_WORDS),
    );

/** Joins parts of a text up to a number of words. */
function joinParts(parts: readonly string[], limit: number): string[] {
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
const splitWords = (clause: string): string[] =>
  segmentByWords(clause).flatMap(({ segment }) =>
    segment.length <= MAX_WORD_LENGTH ? [segment] : (segment.match(/.{1,80}/gsu) ?? []),
  );
