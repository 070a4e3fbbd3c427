import { describe, expect, it } from '@jest/globals';
import { type SlideBox, inReadingOrder } from './reading-order.js';

const at = (name: string, x: number, y: number, width = 40, height = 10) => ({
  name,
  box: { x, y, width, height },
});
const names = (
  shapes: readonly { name: string; box: SlideBox | undefined }[],
  isRightToLeft = false,
) =>
  inReadingOrder(shapes, isRightToLeft)
    .map(({ name }) => name)
    .join(' ');

describe(inReadingOrder.name, () => {
  it.each([
    ['the left column before the right one', [at('R', 50, 20), at('L', 0, 20)], 'L R'],
    [
      'columns of several boxes',
      [at('R1', 50, 20), at('R2', 50, 40), at('L1', 0, 20), at('L2', 0, 40)],
      'L1 L2 R1 R2',
    ],
    [
      'what is above both columns, and below them',
      [at('R', 50, 20), at('bottom', 0, 50, 90), at('L', 0, 20), at('top', 0, 0, 90)],
      'top L R bottom',
    ],
    ['what stands above', [at('lower', 0, 40), at('upper', 0, 0)], 'upper lower'],
    ['boxes that overlap a little', [at('R', 38, 0), at('L', 0, 2)], 'L R'],
    [
      'rows, if the file has them so',
      [at('a', 0, 0), at('1', 50, 0), at('b', 0, 20), at('2', 50, 20)],
      'a 1 b 2',
    ],
    [
      'columns, if the file has them so',
      [at('a', 0, 0), at('b', 0, 20), at('1', 50, 0), at('2', 50, 20)],
      'a b 1 2',
    ],
    [
      'what has no place, where it is in the file',
      [at('R', 50, 20), { name: 'body', box: undefined }, at('L', 0, 20)],
      'L body R',
    ],
    [
      'what lies on top of each other',
      [at('under', 0, 0, 90, 90), at('over', 10, 10)],
      'under over',
    ],
  ])('has %s', (_, shapes, order) => {
    expect(names(shapes)).toBe(order);
  });

  it('begins on the right in languages that do', () => {
    expect(names([at('L', 0, 20), at('R', 50, 20)], true)).toBe('R L');
  });

  it('keeps the order of more shapes than a person reads', () => {
    const shapes = Array.from({ length: 5000 }, (_, n) => at(String(n), -n, 0));
    expect(inReadingOrder(shapes, false)).toEqual(shapes);
  });
});
