import { foldLetters, normalizeText } from '@latchkey/text/fold-text';

/** Scripts without spaces between words and without full stops, whose words are found by dictionary. */
const RUNS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Characters of a group: shorter groups are in most texts, longer ones are seldom spelt alike. */
const SIZE = 4;

/**
 * Collects all groups of four successive letters of a text in scripts without spaces. Dictionaries lack names,
 * so a name may be segmented differently in a question and in a text; its letters are the same in both.
 */
export function collectLetterGroups(text: string): Set<string> {
  const groups = new Set<string>();
  for (const [run] of text.matchAll(RUNS)) {
    const letters = foldLetters(normalizeText(run));
    for (let end = SIZE; end <= letters.length; end++) groups.add(letters.slice(end - SIZE, end));
  }
  return groups;
}
