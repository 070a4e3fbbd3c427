import { describe, expect, it } from '@jest/globals';
import { chunkSection } from './chunk-section.js';

const chunks = (section: string, chunkSize = 20, chunkOverlap = 0) => [
  ...chunkSection(section, { chunkSize, chunkOverlap }),
];
const words = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `w${first + index}`).join(' ');

describe(chunkSection.name, () => {
  it('keeps paragraphs whole where they fit', () => {
    const [one, two, three] = [words(1, 12), words(13, 19), words(20, 30)];
    expect(chunks(`${one}\n\n${two}\n \n${three}`)).toEqual([`${one}\n\n${two}`, three]);
  });

  it('keeps sentences whole where a paragraph does not fit', () => {
    const [one, two] = [`One ${words(1, 14)}.`, `Two ${words(15, 30)}.`];
    expect(chunks(`${one} ${two}`)).toEqual([one, two]);
  });

  it('repeats words of the chunk before', () => {
    expect(chunks(words(1, 30), 20, 5)).toEqual([words(1, 20), words(16, 30)]);
    expect(chunks(words(1, 20), 20, 5)).toEqual([words(1, 20)]);
  });

  it('counts Chinese and Japanese characters, and each hundred of something endless', () => {
    expect(chunks('知'.repeat(30)).map(({ length }) => length)).toEqual([20, 10]);
    expect(chunks('x'.repeat(700), 100).map(({ length }) => length)).toEqual([700]);
  });

  it('cuts where words are far apart or long, however few they are', () => {
    expect(chunks(`a${' '.repeat(1000)}b`)).toEqual(['a', 'b']);
    const long = chunks('x'.repeat(10_000), 20, 9).map(({ length }) => length);
    expect(Math.max(...long)).toBeLessThanOrEqual(20 * 20);
    expect(long.length).toBeLessThan(100);
  });

  it('finds nothing in white space', () => {
    expect(chunks(' \n\n\u3000\n')).toEqual([]);
  });
});
