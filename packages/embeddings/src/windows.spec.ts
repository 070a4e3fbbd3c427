import { describe, expect, it } from '@jest/globals';
import { type PassageForWindows, splitWindows } from './windows.js';

const partsOf = (passage: PassageForWindows) =>
  splitWindows(passage).map(({ start, end }) => passage.text.slice(start, end));
const sentence = (words: number, first = 'Word') =>
  `${first} ${Array.from({ length: words - 1 }, (_, index) => `word${index}`).join(' ')}.`;

describe(splitWindows, () => {
  it('is one window for a short passage, below its title and heading', () => {
    const text = 'Refunds take five days.';
    expect(splitWindows({ title: 'Shop', heading: 'Returns › Refunds', text })).toEqual([
      { start: 0, end: text.length, embedded: `Shop\nRefunds\n${text}` },
    ]);
  });

  it('ends windows at sentences, and covers the whole text', () => {
    const text = [sentence(40, 'One'), sentence(40, 'Two'), sentence(40, 'Three')].join(' ');
    const parts = partsOf({ title: 'T', heading: null, text });
    expect(parts.map((part) => part.split(' ')[0])).toEqual(['One', 'Two', 'Three']);
    expect(parts.join('')).toBe(text);
  });

  it('begins a window at each section that was joined, below its own heading', () => {
    const text = 'Opening hours\n\nFrom nine to five.\n\nPrices\n\nAll are net.';
    const windows = splitWindows({ title: 'T', heading: 'Shop › Opening hours / Prices', text });
    expect(windows.map(({ embedded }) => embedded)).toEqual([
      'T\nOpening hours\nOpening hours\n\nFrom nine to five.',
      'T\nPrices\nPrices\n\nAll are net.',
    ]);
  });

  it('repeats the header of a table above its later rows', () => {
    const row = (name: string) => `| ${name} | ${sentence(20)} |`;
    const text = ['| Name | Text |', row('a'), row('b'), row('c'), row('d')].join('\n');
    const windows = splitWindows({ title: 'T', heading: null, text });
    expect(windows.length).toBeGreaterThan(1);
    for (const { embedded } of windows) expect(embedded).toContain('| Name | Text |');
  });

  it('joins a short rest to the window before', () => {
    const text = `${sentence(55)} The end.`;
    expect(partsOf({ title: 'T', heading: null, text })).toEqual([text]);
  });

  it('cuts text without sentences or spaces', () => {
    const text = '知'.repeat(2000);
    const parts = partsOf({ title: '标题', heading: null, text });
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.join('')).toBe(text);
  });

  it('takes time in proportion to the text', () => {
    const time = (length: number) => {
      const text = 'a '.repeat(length);
      const start = process.cpuUsage().user;
      splitWindows({ title: 'T', heading: null, text });
      return process.cpuUsage().user - start;
    };
    time(10_000);
    expect(time(80_000)).toBeLessThan(20 * Math.max(time(20_000), 10_000));
  });
});
