import { describe, expect, it } from '@jest/globals';
import type { Style } from './read-page.js';
import { SegmentBuilder } from './segment-builder.js';

const WIDTH = 5;
const TEXT: Style = { size: 10, bold: false, monospaced: false, invisible: false, turns: 0 };
const MARK: Style = { ...TEXT, size: 7 };
const RAISED = 4;

/** Adds characters side by side on a baseline. */
class Writer {
  readonly builder = new SegmentBuilder();
  private x = 72;

  write(text: string, style = TEXT, raised = 0): this {
    for (const char of text) {
      this.put(char, this.x, style, raised);
      this.x += WIDTH;
    }
    return this;
  }

  /** An accent over a letter of those written, from 0. */
  accent(char: string, letter: number): this {
    this.put(char, 72 + WIDTH * letter, TEXT, 0);
    return this;
  }

  get text(): string[] {
    return this.builder.end().flatMap((segments) => segments.map(({ text }) => text));
  }

  private put(char: string, left: number, style: Style, raised: number): void {
    const y = 700 + raised;
    const box = { left, right: left + WIDTH, top: y + style.size, bottom: y };
    this.builder.add(char.codePointAt(0) ?? 0, box, { x: left, y }, style);
  }
}

describe(SegmentBuilder.name, () => {
  it('sets accents over their letters, however far behind them they come', () => {
    const line = 'Eduard Sackinger, and Roopak Shah. 1994. Signature verifi-';
    const written = new Writer().write(line).accent('¨', line.indexOf('a', 7));
    expect(written.text).toEqual([line.replace('Sa', 'Sä')]);
  });

  it.each([
    ['refunds', '3', ' are paid', 'refunds are paid'],
    ['it ends.', '12', ' Then', 'it ends. Then'],
    ['재해', '2', '에', '재해에'],
    ['authors', '1,2', ' of it', 'authors of it'],
  ])('leaves out the mark of a footnote: %s^%s%s', (before, mark, after, expected) => {
    const written = new Writer().write(before).write(mark, MARK, RAISED).write(after);
    expect(written.text).toEqual([expected]);
  });

  it.each([
    ['10', '6', ' of them', '106 of them'],
    ['x', '2', ' + y', 'x2 + y'],
    ['5 km', '2', ' of land', '5 km2 of land'],
    ['the 21', 'st', ' century', 'the 21st century'],
  ])('keeps other raised text: %s^%s%s', (before, raised, after, expected) => {
    const written = new Writer().write(before).write(raised, MARK, RAISED).write(after);
    expect(written.text).toEqual([expected]);
  });

  it('keeps lowered numbers', () => {
    const written = new Writer().write('layer').write('2', MARK, -2).write(' of it');
    expect(written.text).toEqual(['layer2 of it']);
  });

  it('parts the mark of a note from its text', () => {
    const written = new Writer().write('1', MARK, RAISED).write('The code is free.');
    expect(written.text).toEqual(['1 The code is free.']);
  });
});
