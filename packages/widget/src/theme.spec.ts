import { describe, expect, it } from '@jest/globals';
import { accentColours, contrast } from './theme.js';

const parse = (hex: string | undefined): [number, number, number] => {
  const value = Number.parseInt(String(hex).slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

describe(accentColours.name, () => {
  const accents = ['#0b6e4f', '#ff0', '#fff', '#000', '#767676', '#1e1f22', '#e91e63', '#777'];

  it.each(accents)('is legible on %s, and in it', (accent) => {
    for (const [scheme, surface] of [
      ['light', '#f3f4f7'],
      ['dark', '#2a2c30'],
    ] as const) {
      const colours = accentColours(accent, scheme);
      const [button, text] = [colours['--site-accent'], colours['--site-on-accent']].map(parse);
      expect(contrast(button ?? [0, 0, 0], text ?? [0, 0, 0])).toBeGreaterThanOrEqual(4.5);
      const link = contrast(parse(colours['--site-link']), parse(surface));
      expect(link).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('leaves an accent as it is where it can be read', () => {
    const { '--site-link': link } = accentColours('#0b6e4f', 'light');
    expect(link).toBe('#0b6e4f');
  });

  it.each(['0b6e4f', '#0b6e4f80'])('reads %s', (accent) => {
    expect(accentColours(accent, 'light')['--site-accent']).toBe('#0b6e4f');
  });

  it.each([
    'red;}',
    'url(https://evil.example.com/)',
    'var(--x)',
    '#12',
    '#0b6e4f;x',
    '',
    undefined,
  ])('takes nothing from %j', (accent) => {
    expect(accentColours(accent, 'light')).toEqual({});
  });
});
