import { describe, expect, it } from '@jest/globals';
import { askedSentences } from './asked-sentences.js';

describe(askedSentences, () => {
  it.each([
    ['Hi! I bought a lamp last week. Can I return it? Thanks!', 'Can I return it?'],
    [
      'How big may a file be? And where do I put it?',
      'How big may a file be? And where do I put it?',
    ],
    ['Hello. My order never arrived. Please tell me what to do', 'Please tell me what to do'],
    ['I lost my badge. I need a new one. Thank you very much!', 'I need a new one.'],
    ['Hola, buenas tardes. ¿Cuándo abren?', '¿Cuándo abren?'],
    ['你好。我的卡丢了。怎么补办？谢谢', '怎么补办？'],
    ['مرحبا. ضاعت بطاقتي. كيف أحصل على أخرى؟', 'كيف أحصل على أخرى؟'],
    ['Γεια σας. Έχασα την κάρτα μου. Τι κάνω;', 'Τι κάνω;'],
    ['warranty dishwasher', 'warranty dishwasher'],
    ['Hello!', 'Hello!'],
  ])('finds what is asked in %j', (message, asked) => {
    expect(askedSentences(message)).toBe(asked);
  });

  it('reads a long story in bounded time', () => {
    const story = 'I was there. '.repeat(600);
    expect(askedSentences(`${story}What now?`)).toBe('What now?');
    expect(askedSentences('? '.repeat(4000))).not.toBe('');
    expect(askedSentences('a.'.repeat(4000)).length).toBeLessThanOrEqual(8000);
  });
});
