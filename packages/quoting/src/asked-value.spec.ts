import { describe, expect, it } from '@jest/globals';
import { stem, tokenize } from '@latchkey/text/tokenize';
import { isStopWord } from '@latchkey/text/language/languages';
import { findAskedValue, lacksAskedCell } from './asked-value.js';
import { ratePassages } from './read-passages.js';

/** The unit of a text that has most of the words of a question. */
function rate(language: string, question: string, text: string) {
  const terms = tokenize(question, language)
    .filter((word) => !isStopWord(word, language))
    .map((word) => ({ word, stems: [stem(word, language)] }))
    .map((term) => ({ ...term, weight: 1, isKnown: true, mayBeName: false }));
  const lines = text.split('\n').map((line) => line.split('|').slice(1, -1));
  const [columns = [], ...rows] = lines.map((cells) => cells.map((cell) => cell.trim()));
  const cells = text.startsWith('|') ? { columns, rows } : null;
  const passage = { text, title: '', heading: null, language, matched: [], cells };
  const rated = ratePassages({ question, terms, passages: [passage] });
  const [read] = rated.passages;
  const best = read?.units
    .filter(({ features }) => features['header'] !== 1)
    .toSorted((one, other) => other.matched.size - one.matched.size)[0];
  return { best, read, rated };
}

/** The value that a question asks for in that unit. */
function find(language: string, question: string, text: string): string | undefined {
  const { best, read, rated } = rate(language, question, text);
  const value = best && read && findAskedValue(rated.question, best, read);
  if (value) expect(text.slice(value.start, value.end)).toBe(value.text);
  return value?.text;
}

/** A dash says that there is no value. */
const TABLE_WITH_GAPS = [
  '| Shelf | Width (cm) | Load (kg) | Maker |',
  '| Ferro | 80 | – | Ilse Bergmann |',
  '| Legno | 90 | 40 | – |',
].join('\n');

describe(findAskedValue, () => {
  it.each([
    ['en', 'What does a lost scarf cost?', 'A lost scarf costs **£75**.', '£75'],
    ['en', 'How long does a refund take?', 'A refund takes 30 working days.', '30 working days'],
    ['en', 'How many keys do I get?', 'You get two keys within 14 days.', 'two keys'],
    ['en', 'How many people fit?', 'Room 12 fits 8 people.', '8 people'],
    ['en', 'How many months may I hire it?', 'It is hired for 4 months.', '4 months'],
    ['en', 'How high is the deposit?', 'The deposit is £120.', '£120'],
    ['de', 'Wie viele Plätze gibt es?', 'Es gibt 12 Plätze.', '12 Plätze'],
    [
      'en',
      'How many guest boats may I moor?',
      'You may moor two guest boats a year.',
      'two guest boats',
    ],
    ['en', 'How long does it take?', 'It takes 10 to 15 minutes.', '10 to 15 minutes'],
    ['de', 'Was kostet eine Wäsche?', 'Eine Wäsche kostet ab 2 kg 1,80 €.', '1,80 €'],
    ['de', 'Wie lange gilt das?', 'Das gilt 14 Werktage.', '14 Werktage'],
    ['fr', 'Combien de temps dure la garantie ?', 'La garantie dure deux ans.', 'deux ans'],
    ['es', '¿Cuánto cuesta?', 'Cuesta 1.200 euros.', '1.200 euros'],
    ['pl', 'Jak długo trwa?', 'Trwa 14 dni.', '14 dni'],
    ['ru', 'Сколько стоит билет?', 'Билет стоит 75 рублей.', '75 рублей'],
    ['ja', '料金はいくらですか。', '料金は5,000円です。', '5,000円'],
    ['ja', '保証期間は何年ですか。', '保証期間は二年です。', '二年'],
    ['zh', '押金多少钱？', '押金为500元。', '500元'],
    ['th', 'คืนได้ภายในกี่วัน', 'คืนได้ภายใน30วัน', '30วัน'],
  ])('is the number with its unit (%s): %s', (language, question, text, value) => {
    expect(find(language, question, text)).toBe(value);
  });

  it.each([
    ['en', 'When does it open?', 'It is open ', 'Monday to Friday from 8:30 to 18:00'],
    ['en', 'When did it begin?', 'It began on ', '9 February 2026'],
    ['en', 'When was it built?', 'It was built in ', '1998'],
    ['de', 'Wann öffnet es?', 'Es öffnet ', 'Montag bis Freitag von 8 bis 17 Uhr'],
    ['fr', 'Quand ouvre-t-elle ?', 'Elle ouvre du ', 'lundi au vendredi de 9 h à 17 h'],
    ['ja', 'いつ開きますか。', '', '午前9時から午後5時'],
    ['ja', '開室時間は何時ですか。', '開室時間は', '平日の午前9時から午後6時'],
    ['pl', 'Kiedy?', 'Czynne od ', 'poniedziałku do piątku'],
  ])('is the whole time (%s): %s', (language, question, before, value) => {
    expect(find(language, question, `${before}${value}.`)).toBe(value);
  });

  it.each([
    ['of several that fit', 'How long does it take?', 'It takes 3 days, in winter 5 days.'],
    ['of another kind', 'What does delivery cost?', 'Delivery takes 3 days.'],
    ['that the question has', 'How long does the 3 day course last?', 'The 3 day course lasts.'],
    ['that is a part of a name', 'How many are there?', 'There are many of KX-100 in room A4.'],
    [
      'of a very long sentence',
      'How long does it take?',
      `It takes 3 days${' internationalization'.repeat(30)}.`,
    ],
    ['where none is asked for', 'May I keep books?', 'You may keep books 14 days.'],
    ['that is a price, for how long', 'How long is the setup?', 'The setup is £55.'],
    ['that is a price, for how many', 'How many keys are there?', 'Keys need a deposit of £120.'],
    [
      'that is a duration, for how many',
      'How many harps may I hire?',
      'Harps are hired for 4 months.',
    ],
  ])('is nothing %s', (_, question, text) => {
    expect(find('en', question, text)).toBeUndefined();
  });

  const TABLE = [
    '| Model | Load (kg) | Price (EUR) | Motor |',
    '| KX-10 | 1000 | 18,400 | electric |',
    '| KX-100 | 1200 | 21,900 | electric, 100 V |',
  ].join('\n');

  it.each([
    ['What does the KX-100 cost?', '21,900'],
    ['What is the load of the KX-100?', '1200'],
    ['Which motor has the KX-100?', 'electric, 100 V'],
    ['Is the KX-100 electric?', undefined],
    ['How do I start the KX-100?', undefined],
  ])('is the cell in the column that is asked for: %s', (question, value) => {
    expect(find('en', question, TABLE)).toBe(value);
  });

  it.each([
    ['where the cell is empty', 'What is the load of the Ferro?', TABLE_WITH_GAPS],
    [
      'of another column where that cell is empty',
      'Who is the maker of the Legno?',
      TABLE_WITH_GAPS,
    ],
    [
      'that is a number where a person is asked for',
      'Who delivers the 5 kg parcel load of the Legno?',
      TABLE_WITH_GAPS,
    ],
    ['where several columns may be meant', 'Which Ferro width or load?', TABLE_WITH_GAPS],
    ['in another language', 'Wie viele Schlüssel bekomme ich?', 'You get two keys.'],
  ])('is nothing %s', (_, question, text) => {
    expect(find('en', question, text)).toBeUndefined();
  });
});

describe(lacksAskedCell, () => {
  const lacks = (question: string) => {
    const { best, read, rated } = rate('en', question, TABLE_WITH_GAPS);
    return best !== undefined && read !== undefined && lacksAskedCell(rated.question, best, read);
  };

  it.each(['What is the load of the Ferro?', 'Who is the maker of the Legno?'])(
    'finds that the table has no value: %s',
    (question) => {
      expect(lacks(question)).toBe(true);
    },
  );

  it.each([
    'What is the width of the Ferro?',
    'What is the load of the Legno?',
    'Is the Ferro heavy?',
  ])('finds nothing missing: %s', (question) => {
    expect(lacks(question)).toBe(false);
  });
});
