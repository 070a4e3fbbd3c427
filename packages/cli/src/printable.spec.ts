import { describe, expect, it } from '@jest/globals';
import { printable } from './printable.js';

describe(printable.name, () => {
  it.each([
    ['Rückgabe 退货 😀', 'Rückgabe 退货 😀'],
    ['\u001b[2Jgone', '\\x1b[2Jgone'],
    ['two\nlines\tand\rmore', 'two\\x0alines\\x09and\\x0dmore'],
    ['\u0000\u007f\u009b', '\\x00\\x7f\\x9b'],
    ['\u202eexe.txt', '\\u202eexe.txt'],
  ])('shows %j as it may be printed', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});
