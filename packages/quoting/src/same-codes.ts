import { foldLetters, normalizeText } from '@latchkey/text/fold-text';
import { tokenize } from '@latchkey/text/tokenize';
import type { QuestionTerm } from '@latchkey/ranking/search-index';
import { LETTER } from './currencies.js';

/** Letters and digits, with or without marks between them: "KX-100", "kx100", "GK 204". */
const CODE = new RegExp(
  `(?<![\\p{L}\\p{Nd}]|[\\p{L}\\p{Nd}][-_./])${LETTER}{1,6}[-_./ ]?\\p{Nd}{1,6}(?:[-_./]?${LETTER}{1,3})?(?![\\p{L}\\p{Nd}]|[-_./][\\p{L}\\p{Nd}])`,
  'gu',
);
/** Further codes of a question are ignored. */
const MAX_CODES = 8;
const JOINTS = /[-_./ ]/g;

/** A question with its codes as the texts write them. */
interface Respelled {
  readonly respell: (text: string) => string;
  readonly terms: readonly QuestionTerm[];
}

/**
 * Spells the codes of a question as texts do that have no such code in the question's spelling: `kx100` becomes
 * KX-100. Other letters or digits are another code: KX-100S.
 */
export function spellCodesAsIn(
  texts: readonly string[],
  question: string,
  terms: readonly QuestionTerm[],
): Respelled {
  const asked = [...new Set(question.match(CODE) ?? [])].slice(0, MAX_CODES);
  const lowered = texts.map((text) => text.toLowerCase());
  const unknown = asked.filter(
    (code) => !lowered.some((text) => text.includes(code.toLowerCase())),
  );
  if (unknown.length === 0) return { respell: (text) => text, terms };
  const written = new Map(
    texts.flatMap((text) => (text.match(CODE) ?? []).map((code) => [toComparable(code), code])),
  );
  const spellings = unknown.flatMap((code) => {
    const spelling = written.get(toComparable(code));
    return spelling === undefined ? [] : [{ code, spelling }];
  });
  const byCode = new Map(spellings.map(({ code, spelling }) => [code, spelling]));
  return {
    respell: (text) => text.replace(CODE, (code) => byCode.get(code) ?? code),
    terms: spellings.reduce(replaceTerms, terms),
  };
}

const toComparable = (code: string): string => foldLetters(normalizeText(code)).replace(JOINTS, '');

const toWords = (text: string): string[] => tokenize(text).map(foldLetters);

function replaceTerms(
  terms: readonly QuestionTerm[],
  { code, spelling }: { readonly code: string; readonly spelling: string },
): readonly QuestionTerm[] {
  const replaced = terms.filter(({ word }) => toWords(code).includes(word));
  const kept = terms.filter((term) => !replaced.includes(term));
  const weight = Math.max(0, ...replaced.map((term) => term.weight));
  const added = toWords(spelling)
    .filter((word) => !kept.some((term) => term.word === word))
    .map((word) => ({ word, stems: [word], weight, isKnown: true, mayBeName: false }));
  return replaced.length === 0 ? terms : [...kept, ...added];
}
