/**
 * Readers enclose raised and lowered text in noncharacters of Unicode, since it stands in several
 * pieces; `tidy` writes it when the text before it is known.
 */
const MARKS = { super: ['\ufdd0', '\ufdd1'], sub: ['\ufdd2', '\ufdd3'] } as const;
const ANY_MARK = /[\ufdd0-\ufdd3]/g;
const CONTINUED = /\ufdd1\ufdd0|\ufdd3\ufdd2/g;
const MARKED = /\ufdd0([^\ufdd0-\ufdd3]*)\ufdd1|\ufdd2([^\ufdd0-\ufdd3]*)\ufdd3/g;

type MarkedText = [
  all: string,
  above: string | undefined,
  below: string | undefined,
  offset: number,
  whole: string,
];

export type TextPosition = keyof typeof MARKS;

const DIGITS = '0123456789+-−–=()';
const SUPERSCRIPTS = mapping(
  `${DIGITS}abcdefghijklmnoprstuvwxyz`,
  '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ',
);
const SUBSCRIPTS = mapping(`${DIGITS}aehijklmnoprstuvx`, '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ');
/** Longer text, or text with spaces, is small print. */
const MAX_LENGTH = 12;
const HAS_NUMBER = /[\d+\-−–=]/;
/** Starts a note mark that cannot be mistaken for a number. */
const APART = /^[[*†‡§¶#]/;
/** Text after which a single raised or lowered letter is an exponent or index: a number, a bracket, one letter. */
const BASE = /(?:\p{N}|[)\]]|(?<!\p{L})\p{L})$/u;
const BASE_LENGTH = 2;
const DEGREES = /^ ?[CF](?!\p{L})/u;

/** A piece of text that stands above or below the line. */
export const raiseText = (text: string, position: TextPosition | undefined): string =>
  position === undefined ? text : `${MARKS[position][0]}${text}${MARKS[position][1]}`;

/** The noncharacter that marks the start or end of raised or lowered text. */
export const raisedMark = (position: TextPosition, isStart: boolean): string =>
  MARKS[position][isStart ? 0 : 1];

/** Writes raised and lowered text as Unicode does where it can: `10⁶`, `H₂O`, `24¹ months`, `e^{2x}`. */
export function writeRaised(text: string): string {
  if (text.search(ANY_MARK) === -1) return text;
  return text
    .replace(CONTINUED, '')
    .replace(MARKED, (...found: MarkedText) => {
      const [all, above, below, offset, whole] = found;
      const content = above ?? below ?? '';
      const inner = content.trim();
      if (inner === '') return content;
      const before = whole.slice(Math.max(0, offset - BASE_LENGTH), offset);
      const after = whole.slice(offset + all.length, offset + all.length + BASE_LENGTH + 1);
      return content.replace(inner, () =>
        above === undefined
          ? write(inner, before, SUBSCRIPTS, '_')
          : inner === 'o' && DEGREES.test(after)
            ? '°'
            : write(inner, before, SUPERSCRIPTS, '^'),
      );
    })
    .replace(ANY_MARK, '');
}

function write(
  text: string,
  before: string,
  signs: ReadonlyMap<string, string>,
  mark: string,
): string {
  if (text.length > MAX_LENGTH || /\s/.test(text) || APART.test(text)) return text;
  const written = Array.from(text, (character) => signs.get(character));
  const hasNumber = HAS_NUMBER.test(text);
  const isLetter = written.length === 1 && BASE.test(before);
  if ((hasNumber || isLetter) && !written.includes(undefined)) return written.join('');
  return hasNumber && /\S$/.test(before) ? `${mark}{${text}}` : text;
}

function mapping(from: string, to: string): ReadonlyMap<string, string> {
  const signs = Array.from(to);
  return new Map(Array.from(from, (character, at) => [character, signs[at] ?? character]));
}
