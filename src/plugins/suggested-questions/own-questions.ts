const LENGTH = { min: 12, max: 120 };
/** A semicolon asks in Greek only. */
const ENDS = /[?？؟]$|\p{Script=Greek}[;\u037e]$/u;
/** Numbers of lists, marks of headings, and the letter of a question in a list of them. */
const MARKS = /^(?:[#>*•\-–\s]+|\d{1,3}[.)]\s+|[QF]\d*[.:)]\s*)+/u;
const IS_CODE = /[{}=<>|]|:\/\//u;

/**
 * The questions that a text asks itself, as lists of frequent ones do: each is a line. Questions within a paragraph
 * are asked of the reader.
 */
export const findOwnQuestions = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(MARKS, '').trim())
    .filter((line) => ENDS.test(line) && !IS_CODE.test(line))
    .filter(({ length }) => length >= LENGTH.min && length <= LENGTH.max);
