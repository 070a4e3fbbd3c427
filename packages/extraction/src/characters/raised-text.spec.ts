import { describe, expect, it } from '@jest/globals';
import { tidy, tidyLines } from '../tidy.js';
import { raiseText, writeRaised } from './raised-text.js';

const up = (text: string) => raiseText(text, 'super');
const down = (text: string) => raiseText(text, 'sub');

describe(writeRaised.name, () => {
  it.each([
    ['a power', `10${up('6')} cells`, '10⁶ cells'],
    ['a negative power', `10${up('-12')} F`, '10⁻¹² F'],
    ['a power with a minus sign', `s${up('−1')}`, 's⁻¹'],
    ['a power in several pieces', `10${up('1')}${up('2')}`, '10¹²'],
    ['a power with a letter', `2${up('n+1')}, 2${up('n')}, e${up('x')}`, '2ⁿ⁺¹, 2ⁿ, eˣ'],
    ['a unit', `25 m${up('2')} of 300 metros${up('2')}`, '25 m² of 300 metros²'],
    ['a mark of a note at a number', `24${up('1')} months`, '24¹ months'],
    ['a letter of a note at a number', `24${up('a')} months`, '24ᵃ months'],
    ['marks of several notes', `24${up('1,2')} months`, '24^{1,2} months'],
    ['a mark that no number can be taken for', `24${up('*')} months${up('[3]')}`, '24* months[3]'],
    ['a note at the foot', `${up('1')} Except pumps.`, '¹ Except pumps.'],
    ['an ordinal', `the 1${up('st')} of May`, 'the 1st of May'],
    ['a trademark', `Latchkey${up('TM')}`, 'LatchkeyTM'],
    ['degrees', `20 ${up('o')}C`, '20 °C'],
    ['what Unicode lacks', `e${up('2Q')}`, 'e^{2Q}'],
    ['small print', `50 ${up('plus 19 % tax')}`, '50 plus 19 % tax'],
    [
      'a formula of chemistry',
      `H${down('2')}SO${down('4')}, SO${down('4')}${up('2-')}`,
      'H₂SO₄, SO₄²⁻',
    ],
    ['an index', `x${down('i')}, a${down('n+1')}, V${down('max')}`, 'xᵢ, aₙ₊₁, Vmax'],
    ['spaces around it', `10${up(' 6 ')}cells`, '10 ⁶ cells'],
    ['marks without a pair', `a\ufdd0b\ufdd3c\ufdd1`, 'abc'],
  ])('writes %s', (_, text, written) => {
    expect(writeRaised(text)).toBe(written);
    expect(tidy(text)).toBe(written);
    expect(tidyLines(text)).toBe(written);
  });
});
