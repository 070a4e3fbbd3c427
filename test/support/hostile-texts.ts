import fc from 'fast-check';

/** What is repeated. Of each kind of text that has been slow in some program, one. */
const UNITS = [
  ...[' ', '\u00a0', '\t', '\n', 'a\n', '- a\n', '\r\n\r\n'],
  ...['.', '.$', '!?', '"', "'", '-', '*', '_', '`', '#', '\\', '%', '&amp;', '|-', '…'],
  ...['(', '[', '{', '<', '[](', '![', '<div>', '<!--', '> ', '  - ', '\n#', '[1]', '[\\d'],
  ...['\u0301', 'e\u0301\u0323', '\u200d', '\ufe0f', '\u0e47', '\u1100'],
  ...['\u202e', '\u2067א', 'אבג ', 'مرحبا ', 'ﷺ', 'ﷺ '],
  ...['👩‍👩‍👧‍👦', '🇩🇪', '🏽', '退', '退货。', 'ก'],
  ...['a', 'a ', 'x1', 'word ', 'ab-', 'http://', 'a@', '1,', '0.', 'ß', 'İ'],
];
const CLOSING = new Map([
  ...(['()', '[]', '{}', '<>'] as const).map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
  ['<div>', '</div>'] as const,
  ['<!--', '-->'] as const,
]);

/** Something many times, and what closes it as often where there is such. */
export interface Piece {
  readonly unit: string;
  readonly times: number;
  readonly closed: boolean;
}

/** Small to print, whatever it comes to as a text. */
export type HostileText = readonly Piece[];

/** @param most how often something is repeated at most, a power of ten */
export const hostileText = (most: number): fc.Arbitrary<HostileText> =>
  fc.array(
    fc.record({
      unit: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...UNITS) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }) },
      ),
      times: fc.nat({ max: Math.log10(most) }).map((power) => 10 ** power),
      closed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  );

export const written = (text: HostileText, maxLength: number): string =>
  text
    .map(({ unit, times, closed }) => {
      const closing = closed ? (CLOSING.get(unit) ?? '') : '';
      return unit.repeat(times) + closing.repeat(times);
    })
    .join('')
    .slice(0, maxLength);
