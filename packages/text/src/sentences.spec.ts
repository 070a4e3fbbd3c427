import { describe, expect, it } from '@jest/globals';
import { splitSentences } from './sentences.js';

const of = (text: string) => [...splitSentences(text)].map((sentence) => sentence.trim());

describe(splitSentences.name, () => {
  it.each([
    [['Dr. Müller kommt.', 'Er bleibt.']],
    [['Das gilt z. B. für Ärzte.', 'Mehr nicht.']],
    [['Use a list, e.g. Apples or pears.', 'Then stop.']],
    [['It was written by J. R. R. Tolkien in Oxford.', 'It sold.']],
    [['เอกสารของ ไมเคิล อี. แมนน์ มีกราฟ']],
    [['See Fig. 3 and No. 7.', 'No.', 'That is wrong.']],
    [['Sie beginnt am 3. Oktober.', 'Sie endet 2020.', 'Danach kommt nichts.']],
    [['Wer drei Stunden fährt, darf die 1. Klasse nehmen.', 'Sonst die 2. Klasse.']],
    [['Wir öffnen um 9.', 'Danach ist der 5. Stock offen.', 'Es sind 12.', 'Mehr kommen nicht.']],
    [['Yahoo! was founded early.', 'It was sold.']],
    [['1. Introduction to the subject.', '2. Methods.']],
    [['He asked “why?” and left.', 'Nobody answered.']],
    [['退款将在五个工作日内支付。', '谢谢！']],
    [['返金は五営業日以内に行われます。', 'ご了承ください。']],
  ])('finds those of %j', (expected) => {
    expect(of(expected.join(' '))).toEqual(expected);
  });

  it('ends them with their line', () => {
    expect(of('A title\nand a line.\nThe end.')).toEqual(['A title', 'and a line.', 'The end.']);
  });

  it('finds the same in a long text as in a short one', () => {
    const some = [
      'This one is short.',
      `This one has ${'many '.repeat(60)}words.`,
      'Dr. Who is it.',
    ];
    const text = Array.from({ length: 60 }, () => some).flat();
    expect(of(text.join(' '))).toEqual(text);
  });

  it.each(['.', '. ', 'a. ', ' ', '(', 'a. b', 'Dr. ', '!', 'ก', '。', 'a\n', '"', 'x'])(
    'leaves nothing out of many %j, and takes time in proportion to them',
    (unit) => {
      const text = unit.repeat(300_000 / unit.length);
      const startedAt = performance.now();
      expect([...splitSentences(text)].join('') === text).toBe(true);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    },
  );
});
