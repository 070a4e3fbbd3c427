import { describe, expect, it } from '@jest/globals';
import { findAskedSentences } from './asked-sentences.js';

describe(findAskedSentences, () => {
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
    ['My badge is lost. I need a new one. Kind regards, Tom', 'I need a new one.'],
    [
      'Ich brauche einen neuen Ausweis.\nViele Grüße\nJana Weber',
      'Ich brauche einen neuen Ausweis.',
    ],
    [
      "J'ai perdu mon badge. Je voudrais un autre badge. Cordialement, Luc",
      'Je voudrais un autre badge.',
    ],
    ['Ho perso il badge. Vorrei averne un altro. Cordiali saluti', 'Vorrei averne un altro.'],
    ['Preciso de um novo crachá. Atenciosamente, Rui', 'Preciso de um novo crachá.'],
    ['Ik wil een nieuwe pas. Met vriendelijke groet, Piet', 'Ik wil een nieuwe pas.'],
    ['Potrzebuję nowej karty. Pozdrawiam, Ola', 'Potrzebuję nowej karty.'],
    ['Мне нужен новый пропуск. С уважением, Иван', 'Мне нужен новый пропуск.'],
    ['אני צריך כרטיס חדש. בברכה, דנה', 'אני צריך כרטיס חדש.'],
    ['请告诉我补办流程。此致敬礼', '请告诉我补办流程。'],
    [
      'I need more than this. Regards are not enough for me, I want a refund',
      'Regards are not enough for me, I want a refund',
    ],
    ['We wrote to them. Regards, as a greeting?', 'Regards, as a greeting?'],
    ['Kind regards', 'Kind regards'],
    ['warranty dishwasher', 'warranty dishwasher'],
    ['Hello!', 'Hello!'],
  ])('finds what is asked in %j', (message, asked) => {
    expect(findAskedSentences(message)).toBe(asked);
  });

  it('reads a long story in bounded time', () => {
    const story = 'I was there. '.repeat(600);
    expect(findAskedSentences(`${story}What now?`)).toBe('What now?');
    expect(findAskedSentences('? '.repeat(4000))).not.toBe('');
    expect(findAskedSentences('a.'.repeat(4000)).length).toBeLessThanOrEqual(8000);
  });
});
