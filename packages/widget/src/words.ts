import { LANGUAGES } from './languages.js';

/** What the widget says by itself. */
export interface Words {
  readonly open: string;
  readonly close: string;
  readonly greeting: string;
  readonly placeholder: string;
  readonly send: string;
  readonly sources: string;
  readonly page: string;
  readonly helpful: string;
  readonly notHelpful: string;
  readonly thanks: string;
  readonly person: string;
  readonly writing: string;
  readonly paused: string;
  readonly spent: string;
  readonly tooFast: string;
  readonly forbidden: string;
  readonly failed: string;
  readonly again: string;
  readonly slide: string;
  readonly row: string;
  readonly offline: string;
  readonly cutOff: string;
}

/**
 * Finds the words for a page.
 *
 * @param tag its language, such as `de-CH`
 * @returns the words, and the language that they are in: English for a language that has none here
 */
export function findWords(tag: string): { readonly language: string; readonly words: Words } {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  const words = Object.hasOwn(LANGUAGES, primary) ? LANGUAGES[primary] : undefined;
  return words ? { language: tag, words } : { language: 'en', words: LANGUAGES['en'] as Words };
}

/** The direction of the widget's words, each of which is in one of its languages. */
export const isRightToLeft = (language: string): boolean => /^ar\b/i.test(language);
