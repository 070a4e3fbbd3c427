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
    ['10', '6', ' of them', '10⁶ of them'],
    ['10', '-12', ' F', '10⁻¹² F'],
    ['x', '2', ' + y', 'x² + y'],
    ['5 km', '2', ' of land', '5 km² of land'],
    ['lasts 24', '1', ' months', 'lasts 24¹ months'],
    ['lasts 24', '1,2', ' months', 'lasts 24^{1,2} months'],
    ['lasts 24', '*', ' months', 'lasts 24* months'],
    ['the 21', 'st', ' century', 'the 21st century'],
  ])('keeps other raised text: %s^%s%s', (before, raised, after, expected) => {
    const written = new Writer().write(before).write(raised, MARK, RAISED).write(after);
    expect(written.text).toEqual([expected]);
  });

  it.each([
    ['H', '2', 'O', 'H₂O'],
    ['layer', '2', ' of it', 'layer₂ of it'],
    ['all x', 'i', ' are', 'all xᵢ are'],
    ['the V', 'max', ' of it', 'the Vmax of it'],
  ])('keeps lowered text: %s_%s%s', (before, lowered, after, expected) => {
    const written = new Writer().write(before).write(lowered, MARK, -2).write(after);
    expect(written.text).toEqual([expected]);
  });

  it('keeps small text on the line, such as small capitals, as it is', () => {
    const written = new Writer().write('A').write('NNA ', MARK).write('B').write('2', MARK);
    expect(written.text).toEqual(['ANNA B2']);
  });

  it('parts the mark of a note from its text', () => {
    const written = new Writer().write('1', MARK, RAISED).write('The code is free.');
    expect(written.text).toEqual(['¹ The code is free.']);
  });
});
