import { segmentBySentences } from './language/segment.js';

/** Characters that are segmented at once; the segmenter's time grows faster than the text. */
const WINDOW = 4000;
/** Segments are joined up to this length, so that a text of full stops does not become one sentence. */
const MAX_JOINED = 1000;
/** Characters at the end and the start of two segments that decide whether they are one sentence. */
const CONTEXT = 24;

/** Abbreviations that stand before a name or a noun. */
const BEFORE_ANYTHING =
  'Mr Mrs Ms Dr Prof St Hr Fr Frau Herr Sr Sra Srta Mme Mlle Dipl Ing Gen Col Capt Lt Sgt Rev Hon Gov ' +
  'Sen Rep Pres bzw ca evtl ggf inkl exkl sog vgl zzgl mind max min vs viz cf approx resp incl excl';
/** Abbreviations that stand before a number. Elsewhere they may end a sentence. */
const BEFORE_NUMBER =
  'No Nos Nr Fig Figs Abb Tab Eq Eqs Gl Sec Sect Ch Chap Kap Abs Art Vol Bd Ziff Pos p pp S Rn Anm ' +
  'fig eq sec no nr núm pág art vol chap';
const GERMAN_MONTH =
  'Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember';

const toAlternatives = (list: string) => list.replaceAll(' ', '|');
const ABBREVIATION = new RegExp(
  `(?:^|[\\s(\\[.“„"])(?:${toAlternatives(BEFORE_ANYTHING)})\\.$`,
  'iu',
);
const NUMBERED = new RegExp(`(?:^|[\\s(\\[])(?:${toAlternatives(BEFORE_NUMBER)})\\.$`, 'u');
/** A single letter, such as the `J.` of a name, and the last letter of `e.g.` or `z. B.`. */
const INITIAL = /(?:^|[\s(.\-\u2010])\p{L}\p{M}*\.$/u;
const ORDINAL = /(?:^|\s)\d{1,2}\.$/;
/** An ordinal before a German noun, whose capital letter looks like the beginning of a sentence. */
const GERMAN_ORDINAL =
  /(?:^|\s)(?:der|die|das|den|dem|des|im|am|ins|zum|zur|vom|beim|jede[mnrs]?)\s\d{1,2}\.$/iu;
const CAPITALIZED = /^\p{Lu}\p{L}{2}/u;
/** The number or letter before a list item, if it is the whole segment. */
const ITEM_NUMBER = /^[\s(]*(?:\d{1,3}(?:\.\d{1,3}){0,5}|\p{L}|[ivxIVX]{1,5})\.$/u;
const LOWER_CASE = /^["'“”„«»‘’([]{0,2}\p{Ll}/u;
const NUMBER = /^[([]?\d/;
const MONTH = new RegExp(`^(?:${GERMAN_MONTH})\\b`);
const LINE_END = /[\n\r\u2028\u2029\u0085]/;

/**
 * Splits a text into sentences; joined they are the text. A sentence longer than WINDOW is cut.
 *
 * The segmenter ends a sentence at each full stop before a capital letter, and at each exclamation
 * mark. Its segments are joined behind abbreviations and initials, and before lower case.
 */
export function* splitSentences(text: string): Generator<string> {
  let start = 0;
  let end = 0;
  for (const next of findSegmentEnds(text)) {
    const isSame =
      next - start <= MAX_JOINED &&
      end > start &&
      continues(text.slice(Math.max(start, end - CONTEXT), end), text.slice(end, end + CONTEXT), {
        isStart: end - start <= CONTEXT,
      });
    if (end > start && !isSame) {
      yield text.slice(start, end);
      start = end;
    }
    end = next;
  }
  if (end > start) yield text.slice(start, end);
}

function continues(before: string, after: string, { isStart }: { isStart: boolean }): boolean {
  const word = before.trimEnd();
  if (LINE_END.test(before.slice(word.length))) return false;
  if (LOWER_CASE.test(after)) return true;
  if (!word.endsWith('.')) return false;
  return (
    ABBREVIATION.test(word) ||
    INITIAL.test(word) ||
    (isStart && ITEM_NUMBER.test(word)) ||
    (NUMBERED.test(word) && NUMBER.test(after)) ||
    (ORDINAL.test(word) && MONTH.test(after)) ||
    (GERMAN_ORDINAL.test(word) && CAPITALIZED.test(after))
  );
}

/** Finds the ends of the segmenter's sentences. */
function* findSegmentEnds(text: string): Generator<number> {
  for (let start = 0; start < text.length;) {
    const isLast = text.length - start <= WINDOW;
    const end = isLast ? text.length : findWindowEnd(text, start);
    let before = start;
    for (const { index, segment } of segmentBySentences(text.slice(start, end))) {
      const segmentEnd = start + index + segment.length;
      // The last segment of a window may go on, so the next window begins with it. It is cut where it
      // is most of the window, which would otherwise be segmented over and over.
      if (!isLast && segmentEnd === end && start + index > start + WINDOW / 2) break;
      yield segmentEnd;
      before = segmentEnd;
    }
    start = before;
  }
}

function findWindowEnd(text: string, start: number): number {
  const rough = start + WINDOW;
  const space = text.slice(start, rough + 1).lastIndexOf(' ');
  if (space > WINDOW / 2) return start + space + 1;
  return rough + (isLowSurrogate(text, rough) ? 1 : 0);
}

const isLowSurrogate = (text: string, index: number) => /^[\udc00-\udfff]/.test(text.charAt(index));
