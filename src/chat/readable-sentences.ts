import { sentences } from '../search/sentences.js';

/** Words of a quotation at most, its citations included. */
export const MAX_WORDS = 80;
/** A longer sentence is divided, so that a part of it can be quoted. */
const MAX_SENTENCE_WORDS = 60;
/** A line with fewer words and without an end mark, before another line, is taken for a heading. */
const MAX_HEADING_WORDS = 12;

/** A `[1]` of the document would look like a citation of the answer. */
const OWN_CITATIONS = /(?<!\s)[^\S\n]*\[\d[\d\s,]{0,40}\]/g;
const LINK = /!?\[([^\][\n]{0,300})\]\([^()\n]{0,500}\)/g;
const LEADING_MARKS = /^(?:[\s#>*•·‣▪|–—-]|\d{1,3}[.)](?=\s))+/u;
const EMPHASIS = /\*{1,3}|_{2,3}|~~|`{1,3}|(?<=^|\s)_(?=\S)|(?<=\S)_(?=\s|[.,;:!?]|$)/g;
const TABLE_EDGE = /\s*\|\s*/g;
const LETTER = /[\p{L}\p{N}]/u;
const ENDS_AS_QUESTION = /[?？؟][\s"'”’»)）」』]*$/u;
const ENDS_AS_SENTENCE = /[\p{Terminal_Punctuation}][\s"'”’»)）」』]*$/u;
/** Scripts that are written without spaces between words. */
const WITHOUT_SPACES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\u3000-\u303f\uff00-\uff60]/gu;
/** In these, spaces stand where other scripts have commas and full stops. */
const SPACES_END_CLAUSES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CLAUSES = /[^,;:，；：、،؛—–]+[,;:，；：、،؛—–]*\s*/gu;

export interface ReadableSentence {
  readonly text: string;
  readonly words: number;
  /** Whether it introduces the sentences after it instead of saying something: a heading or a question. */
  readonly isHeading: boolean;
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
  const lines = text.replace(OWN_CITATIONS, '').replace(LINK, '$1').split('\n');
  const last = lines.findLastIndex((line) => LETTER.test(line));
  return lines.flatMap((line, index) => {
    const isMarkedHeading = /^\s*#/.test(line);
    const plain = line
      .replace(LEADING_MARKS, '')
      .replace(EMPHASIS, '')
      .replace(TABLE_EDGE, ' | ')
      .replace(/^ \| | \| $/g, '')
      .trim();
    return [...sentences(plain)]
      .map((sentence) => sentence.trim())
      .filter((sentence) => LETTER.test(sentence))
      .flatMap(divide)
      .map((sentence) => ({
        text: sentence,
        words: countWords(sentence),
        isHeading:
          ENDS_AS_QUESTION.test(sentence) ||
          isMarkedHeading ||
          (index < last &&
            sentence === plain &&
            plain === line.trim() &&
            !ENDS_AS_SENTENCE.test(sentence) &&
            countWords(sentence) <= MAX_HEADING_WORDS),
      }));
  });
}

/** Divides a sentence that is too long to be quoted into groups of clauses. */
function divide(sentence: string): string[] {
  if (countWords(sentence) <= MAX_SENTENCE_WORDS && !SPACES_END_CLAUSES.test(sentence)) {
    return [sentence];
  }
  const limit = SPACES_END_CLAUSES.test(sentence) ? MAX_SENTENCE_WORDS / 1.5 : MAX_SENTENCE_WORDS;
  const clauses = SPACES_END_CLAUSES.test(sentence)
    ? (sentence.match(/\S+\s*/g) ?? [])
    : (sentence.match(CLAUSES) ?? [sentence]).flatMap((clause) =>
        countWords(clause) > limit ? (clause.match(/\S+\s*/g) ?? []) : [clause],
      );
  const groups: string[] = [];
  let words = Infinity;
  for (const clause of clauses.flatMap(cut)) {
    const more = countWords(clause);
    if (words + more > limit) {
      groups.push(clause);
      words = more;
    } else {
      groups.push((groups.pop() ?? '') + clause);
      words += more;
    }
  }
  return groups.map((group) => group.trim()).filter((group) => group !== '');
}

/** Cuts a run of characters without any boundary. */
function cut(clause: string): string[] {
  if (clause.length <= MAX_WORDS) return [clause];
  const characters = Array.from(clause);
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += MAX_WORDS) {
    parts.push(characters.slice(start, start + MAX_WORDS).join(''));
  }
  return parts;
}
