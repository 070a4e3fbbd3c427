import { detectQuestionLanguage } from './question-language.js';
import { QUESTION_WORDS } from './question-words.js';

/** Verb particles that may stand at the end of a question, apart from the verb. */
const PARTICLES: Readonly<Record<string, string>> = {
  de: 'ab an auf aus bei ein fest frei her hin los mit nach um vor weg weiter zu zurück zusammen',
  nl: 'aan af bij in mee na om op open over samen terug toe uit vast voor vrij weg',
};
/** Words that may stand before the verb, beside question words. */
const BEFORE: Readonly<Record<string, string>> = {
  de: 'um bis ab seit lange oft spät früh schnell uhr',
  nl: 'om tot sinds lang vaak laat vroeg snel uur',
};
/** Auxiliary verbs; a verb beside them keeps its particle: "Wie kann ich mich anmelden?" */
const AUXILIARIES: Readonly<Record<string, string>> = {
  de: 'kann kannst können könnte muss musst müssen darf dürfen soll sollte sollen will wollen möchte wird werden würde habe hat haben ist sind war',
  nl: 'kan kun kunt kunnen moet moeten mag mogen wil willen zal zou zullen wordt worden heb heeft hebben is zijn was',
};
const WORDS = /[\p{L}\p{M}]+/gu;
const LETTER = /\p{L}/u;
const CLAUSE_END = /[.!?:;,\n]+/u;

interface SeparatedVerb {
  /** Its parts as they stand in the question, in lower case. */
  readonly verb: string;
  readonly particle: string;
}

const getWords = (lists: Readonly<Record<string, string>>, language: string): string[] =>
  lists[language]?.split(' ') ?? [];

/**
 * Finds the verb of a German or Dutch question whose particle stands at the end: "Wie melde ich mich an?" asks
 * about "anmelden".
 */
export function findSeparatedVerb(question: string): SeparatedVerb | undefined {
  const clauses = question.split(CLAUSE_END).filter((clause) => LETTER.test(clause));
  const clause = clauses.at(-1) ?? '';
  const words = clause.normalize('NFC').toLowerCase().match(WORDS) ?? [];
  const particle = words.at(-1) ?? '';
  const language = detectQuestionLanguage(clause) ?? '';
  if (!getWords(PARTICLES, language).includes(particle)) return undefined;
  const before = [...getWords(QUESTION_WORDS, language), ...getWords(BEFORE, language)];
  const verb = words.find((word) => !before.includes(word));
  return verb === undefined || verb === particle || getWords(AUXILIARIES, language).includes(verb)
    ? undefined
    : { verb, particle };
}
