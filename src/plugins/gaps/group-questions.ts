import { setImmediate } from 'node:timers/promises';
import { toQuestionForm } from '@latchkey/quoting/same-question';
import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';

/** Measured; see docs/decisions/gaps.md. */
const SAME_MEANING = 0.7;
/** The weight of the share of common words, added to the cosine of the vectors. */
const WORDS_WEIGHT = 0.2;
/** The share of content words in common that suffices without vectors. */
const SAME_WORDS = 0.3;
/** Questions compared before other work of the process continues. */
const PART = 20;

interface Compared<T> {
  readonly item: T;
  readonly vector: Float32Array | undefined;
  readonly content: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly numbers: string;
}

/**
 * Groups questions that want the same answer: each joins the group whose first question is nearest to it, or
 * begins a new group.
 *
 * @param items the most important first
 * @param findVector finds a vector of unit length; undefined if there is none
 */
export async function groupQuestions<T extends { readonly question: string }>(
  items: readonly T[],
  findVector: (item: T) => Float32Array | undefined,
): Promise<T[][]> {
  const groups: { readonly first: Compared<T>; readonly items: T[] }[] = [];
  for (const [index, item] of items.entries()) {
    if (index % PART === 0) await setImmediate();
    const one = toCompared(item, findVector(item));
    let nearest: T[] | undefined;
    let best = 0;
    for (const { first, items: some } of groups) {
      const nearness = measureNearness(one, first);
      if (nearness > best) [best, nearest] = [nearness, some];
    }
    if (nearest) nearest.push(item);
    else groups.push({ first: one, items: [item] });
  }
  return groups.map((group) => group.items);
}

function toCompared<T extends { readonly question: string }>(
  item: T,
  vector: Float32Array | undefined,
): Compared<T> {
  const asked = findAskedSentences(item.question);
  const { content, names, numbers } = toQuestionForm(asked, detectQuestionLanguage(asked) ?? null);
  return { item, vector, content: new Set(content), names, numbers };
}

/** @returns more than 0 if two questions want the same answer */
function measureNearness<T>(one: Compared<T>, other: Compared<T>): number {
  if (one.numbers !== other.numbers) return 0;
  const hasNamesOf = (some: ReadonlySet<string>, { content }: Compared<T>) =>
    [...some].every((name) => content.has(name));
  if (!hasNamesOf(one.names, other) || !hasNamesOf(other.names, one)) return 0;
  const common = [...one.content].filter((word) => other.content.has(word)).length;
  const all = one.content.size + other.content.size - common;
  const words = common / Math.max(1, all);
  if (!one.vector || one.vector.length !== other.vector?.length) {
    return words >= SAME_WORDS ? words : 0;
  }
  let meaning = WORDS_WEIGHT * words;
  for (const [index, value] of one.vector.entries()) meaning += value * (other.vector[index] ?? 0);
  return meaning >= SAME_MEANING ? meaning : 0;
}
