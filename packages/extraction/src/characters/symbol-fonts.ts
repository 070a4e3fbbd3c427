/** Adobe's encoding of the font Symbol, from 0x20 on; a space where it has no character of Unicode. */
const SYMBOL = [
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?',
  '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_',
  '‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ ',
  '                                ',
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵',
  'ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓',
  '◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ ',
].join('');
const FIRST = 0x20;

/** The marks of pictogram fonts that carry meaning, by the code of the first one in a row. */
const MARKS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  wingdings: {
    0x20: ' ',
    0x22: '✂',
    0x28: '☎✆✉',
    0x36: '⌛⌨',
    0x3e: '✇✍',
    0x41: '✌',
    0x45: '☜☞☝☟',
    0x4a: '☺😐☹💣☠⚐',
    0x51: '✈☼💧❄',
    0x58: '✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓',
    0x6c: '●❍■□',
    0x71: '❑❒⬧⧫◆❖⬥⌧',
    0x7a: '⌘❀✿❝❞',
    0x80: '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿',
    0x9e: '·•',
    0xa1: '○',
    0xa4: '◉◎',
    0xa7: '▪◻',
    0xaa: '✦★✶✴✹✵',
    0xb1: '⌖',
    0xb5: '✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛',
    0xd5: '⌫⌦',
    0xd8: '➢',
    0xdc: '➲',
    0xdf: '←→↑↓↖↗↙↘',
    0xe8: '➔',
    0xef: '⇦⇨⇧⇩⇔⇕',
    0xf9: '▭▫✗✓☒☑',
  },
  wingdings2: {
    0x20: ' ',
    0x4f: '✗✓☒☑☒☒',
    0x69: '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿',
    0x96: '•●',
    0xa2: '■□',
  },
  wingdings3: { 0x20: ' ←→↑↓', 0x70: '▲▼△▽◀▶◁▷' },
  webdings: { 0x20: ' ', 0x33: '◀▶▲▼', 0x61: '✔', 0x63: '□', 0x67: '■', 0x6e: '●', 0x72: '✖' },
  zapfdingbats: { 0x20: ' ', 0x33: '✓✔✕✖✗✘', 0x48: '★', 0x6c: '●❍■❏❐❑❒▲▼◆' },
};

const FONTS = new Map<string, ReadonlyMap<number, string>>([
  ['symbol', new Map([...SYMBOL].map((sign, at) => [FIRST + at, sign]))],
  ...Object.entries(MARKS).map(([font, rows]): [string, ReadonlyMap<number, string>] => [
    font,
    new Map(
      Object.entries(rows).flatMap(([first, row]) =>
        Array.from(row, (sign, at): [number, string] => [Number(first) + at, sign]),
      ),
    ),
  ]),
]);
const NAMES: Readonly<Record<string, string>> = {
  symbolmt: 'symbol',
  standardsymbolsl: 'symbol',
  standardsymbolsps: 'symbol',
  itczapfdingbats: 'zapfdingbats',
};

/** Programs store the characters of a symbol font at this offset plus their code. */
const PRIVATE_USE = 0xf000;
const LAST = 0xff;
const MAX_NAME = 100;
/** Codes that no font of symbols uses: controls, and a space that does not break. */
const isControl = (code: number) => code < FIRST || (code > 0x95 && code < 0x9e);

/** Whether the letters of a font are signs. */
export const isSymbolFont = (font: string | undefined): boolean => findSigns(font) !== undefined;

/**
 * The text that a font of symbols shows, such as `≤` for the code A3 in Symbol. Its codes stand in a
 * text as they are, or in the private use area. Pictures without a meaning are left out.
 *
 * @param font as the document names it; text in other fonts is returned unchanged
 */
export function readSymbols(text: string, font: string | undefined): string {
  const signs = findSigns(font);
  if (!signs) return text;
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const isPrivate = code >= PRIVATE_USE + FIRST && code <= PRIVATE_USE + LAST;
    const own = isPrivate ? code - PRIVATE_USE : code;
    if (own > LAST || isControl(own) || character === '\u00a0') return character;
    return signs.get(own) ?? '';
  }).join('');
}

function findSigns(font: string | undefined): ReadonlyMap<number, string> | undefined {
  if (font === undefined || font.length > MAX_NAME) return undefined;
  const [first = ''] = font.split(',');
  const name = first.toLowerCase().replace(/[\s"';-]/g, '');
  return FONTS.get(NAMES[name] ?? name);
}
