export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  /** A word such as `par`, or a symbol such as `~`; the parameter is undefined where it has none. */
  | { readonly kind: 'control'; readonly word: string; readonly parameter: number | undefined }
  /** Text, of which each character is a byte in the code page of its font. */
  | { readonly kind: 'text'; readonly bytes: string };

const TOKEN =
  /[\r\n]+|([{}])|\\(?:'([0-9a-f]{2})|([a-z]{1,32})(-?\d{1,10})? ?|([^a-z]))|[^\\{}\r\n]+/giy;

/**
 * The tokens of an RTF file.
 *
 * @param rtf its bytes, as Latin-1
 */
export function* rtfTokens(rtf: string): Generator<RtfToken> {
  const pattern = new RegExp(TOKEN);
  for (let found = pattern.exec(rtf); found; found = pattern.exec(rtf)) {
    const [all, brace, hex, word, parameter, symbol] = found;
    if (brace !== undefined) yield { kind: brace === '{' ? 'open' : 'close' };
    else if (hex !== undefined)
      yield { kind: 'text', bytes: String.fromCharCode(parseInt(hex, 16)) };
    else if (word !== undefined) {
      const number = parameter === undefined ? undefined : Number(parameter);
      yield { kind: 'control', word, parameter: number };
      if (word === 'bin') pattern.lastIndex += Math.max(0, number ?? 0);
    } else if (symbol !== undefined) {
      if ('\\{}'.includes(symbol)) yield { kind: 'text', bytes: symbol };
      // A backslash at the end of a line ends a paragraph.
      else
        yield {
          kind: 'control',
          word: /[\r\n]/.test(symbol) ? 'par' : symbol,
          parameter: undefined,
        };
    } else if (!/^[\r\n]/.test(all)) yield { kind: 'text', bytes: all };
  }
}
