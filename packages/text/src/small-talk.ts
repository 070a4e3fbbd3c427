import { foldText } from './fold-text.js';
import { ACKNOWLEDGEMENTS, SMALL_TALK_PHRASES, type SmallTalkKind } from './small-talk-phrases.js';

export interface SmallTalk {
  readonly kind: SmallTalkKind;
  /** The language of the phrases (BCP 47); undefined for phrases of no language, such as "ok" and 👋. */
  readonly language: string | undefined;
}

const MAX_LENGTH = 80;
const MAX_WORDS = 8;
const LETTER = /[\p{L}\p{N}]/u;
/** Signs that are a message of their own. */
const SIGNS: readonly (readonly [pattern: RegExp, kind: SmallTalkKind])[] = [
  [/\p{Extended_Pictographic}?👋/u, 'greeting'],
  [/🙏|👍|👌|❤|😊|🙂|😀|🎉|:-?\)|<3/u, 'thanks'],
];
/** Scripts in which no space stands between a phrase and what follows it. */
const WITHOUT_SPACES = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u;
/** If a message has several kinds, the first of these counts. */
const BY_IMPORTANCE: readonly SmallTalkKind[] = ['about', 'farewell', 'thanks', 'greeting'];
/** A name after a greeting: "Hi Anna". */
const LAST_NAME = /[\s,]\p{Lu}[\p{L}\p{M}'’-]+[\s!.…]*$/u;

/** The phrases of one language, folded as messages are. */
interface Phrasebook {
  readonly language: string | undefined;
  /** The kind of each phrase; undefined for one that only accompanies others. */
  readonly phrases: ReadonlyMap<string, SmallTalkKind | undefined>;
  readonly longest: number;
}

const foldPhrases = (phrases: string): string[] => phrases.split('|').map(foldText);

const acknowledgements = foldPhrases(ACKNOWLEDGEMENTS);

const PHRASEBOOKS: readonly Phrasebook[] = Object.entries(SMALL_TALK_PHRASES).map(
  ([language, { also = '', ...kinds }]) => {
    const phrases = new Map<string, SmallTalkKind | undefined>([
      ...[...acknowledgements, ...foldPhrases(also)].map((phrase) => [phrase, undefined] as const),
      ...BY_IMPORTANCE.toReversed().flatMap((kind) =>
        foldPhrases(kinds[kind]).map((phrase) => [phrase, kind] as const),
      ),
    ]);
    phrases.delete('');
    return {
      language,
      phrases,
      longest: Math.max(...[...phrases.keys()].map((one) => one.length)),
    };
  },
);

/**
 * Detects a message that asks nothing about documents: a greeting, thanks, a farewell, or a question about the
 * service itself. The whole message must be small talk: "Thanks, and how long is the warranty?" is a question.
 */
export function detectSmallTalk(message: string): SmallTalk | undefined {
  const trimmed = message.trim();
  if (trimmed === '' || trimmed.length > MAX_LENGTH) return undefined;
  if (!LETTER.test(trimmed)) {
    const kind = SIGNS.find(([pattern]) => pattern.test(trimmed))?.[1];
    return kind && { kind, language: undefined };
  }
  return matchPhrases(trimmed) ?? matchPhrases(trimmed.replace(LAST_NAME, ''), trimmed);
}

/** @param whole the message with the name that was removed, which only a greeting may have */
function matchPhrases(message: string, whole = message): SmallTalk | undefined {
  const text = foldText(message);
  if (text === '' || text.split(' ').length > MAX_WORDS) return undefined;
  if (message !== whole && (text.split(' ').length > 2 || whole.includes('?'))) return undefined;
  const found = PHRASEBOOKS.flatMap(({ language, phrases, longest }) => {
    const kinds = findKinds(text, phrases, longest);
    if (!kinds) return [];
    const kind = BY_IMPORTANCE.find((one) => kinds.has(one));
    return [{ kind: kind ?? ('thanks' as const), language: kind && language }];
  });
  const best = found.find(({ language }) => language !== undefined) ?? found[0];
  return message !== whole && (best?.kind === 'about' || best?.language === undefined)
    ? undefined
    : best;
}

/** Finds the kinds of the phrases that a text consists of; undefined if it has anything else. */
function findKinds(
  text: string,
  phrases: Phrasebook['phrases'],
  longest: number,
): ReadonlySet<SmallTalkKind> | undefined {
  const kinds = new Set<SmallTalkKind>();
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + longest);
    while (end > start && !(isBoundary(text, end) && phrases.has(text.slice(start, end)))) end--;
    if (end === start) return undefined;
    const kind = phrases.get(text.slice(start, end));
    if (kind) kinds.add(kind);
    start = text[end] === ' ' ? end + 1 : end;
  }
  return kinds;
}

const isBoundary = (text: string, end: number): boolean =>
  end === text.length || text[end] === ' ' || WITHOUT_SPACES.test(text.charAt(end - 1));
