import { describe, expect, it } from '@jest/globals';
import { stem, tokenize } from '@latchkey/text/tokenize';
import { computeDecisionFeatures } from './decision.js';
import { ratePassages } from './read-passages.js';
import { QuoteSelector } from './read-question.js';
import { WEIGHTS } from './weights.js';

/** What the decision is made by, for a question of one text in which all rare words weigh the same. */
function featuresOf(
  question: string,
  text: string,
  {
    language = null,
    common = [],
    known = [],
  }: { language?: string | null; common?: string[]; known?: string[] } = {},
) {
  const inText = new Set([...known, ...tokenize(text)].map((word) => stem(word)));
  const terms = [...new Set(tokenize(question))]
    .filter((word) => !common.includes(word.toLowerCase()))
    .map((word) => ({
      word,
      stems: [stem(word)],
      weight: 1,
      isKnown: inText.has(stem(word)),
      mayBeName: /^\p{Lu}/u.test(word),
    }));
  const windows = [{ start: 0, end: text.length, toAsked: 0.3, toWhole: 0.3 }];
  const passages = [{ text, title: '', heading: null, language, matched: [], windows }];
  const rated = ratePassages({ question, terms, passages });
  return new QuoteSelector(rated, WEIGHTS.words).computeDecisionFeatures() ?? {};
}

const COUNTRIES = '| Country | Delivery |\n| Norway | 12.90 |\n| Germany | 8.50 |';

describe(computeDecisionFeatures.name, () => {
  it('knows a row that has the word asked about from one that only stands in the same table', () => {
    const common = ['what', 'does', 'to', 'cost'];
    const norway = featuresOf('What does delivery to Norway cost?', COUNTRIES, { common });
    const austria = featuresOf('What does delivery to Austria cost?', COUNTRIES, { common });
    expect(norway).toMatchObject({ missingRow: 0, missingAlone: 0 });
    expect(austria['missingRow']).toBe(1);
    expect(austria['missingAlone']).toBeGreaterThan(0.5);
  });

  it('takes a row for what is asked about that has a word which no other row has', () => {
    const question = 'What does it cost to have all of my things delivered to Norway?';
    const common = ['what', 'it', 'to', 'have', 'of', 'my'];
    expect(featuresOf(question, COUNTRIES, { common })['missingRow']).toBe(0);
  });

  it('does not miss the word by which a price is asked for', () => {
    const features = featuresOf('Was kostet ein Spind?', 'Ein Spind: 50 €', { common: ['was'] });
    expect(features['missingAlone']).toBe(0);
  });

  it.each([
    ['What does a guided tour cost?', 'A tour costs 10 euros.'],
    ['¿Cuánto cuesta una toalla adicional?', 'Una toalla cuesta 2 euros.'],
    ['Сколько стоит экскурсия по замку с гидом?', 'Экскурсия стоит 500 рублей.'],
  ])('does not take %j for shorter because it asks for a price', (question, text) => {
    const common = 'what does a cuánto una сколько по с'.split(' ');
    const known = 'guided adicional замку гидом'.split(' ');
    const { fewWordsMissing } = featuresOf(question, text, { common, known });
    expect(fewWordsMissing).toBeLessThan(0.4);
  });

  it('misses the only other word of a question for a price', () => {
    const features = featuresOf('Was kostet ein Spind?', 'Ein Schloss: 50 €', {
      common: ['was', 'ein'],
      known: ['kostet', 'spind'],
    });
    expect(features['fewWordsMissing']).toBe(0.5);
  });

  it('misses a price that only another row has', () => {
    const common = ['how', 'much', 'does', 'the', 'plan'];
    const question = 'How much does the Starter plan cost?';
    const plans = (price: string) =>
      `| Plan | Details |\n| Free | 20 pages |\n| Starter | 120 pages${price} |`;
    expect(featuresOf(question, plans(''), { common })['missingNumbers']).toBe(1);
    expect(featuresOf(question, plans(', 9 €'), { common })['missingNumbers']).toBe(0);
  });

  it('misses a number that only others stand for where the question has it', () => {
    const text = 'Version 4.2 is valid from 3 May.';
    expect(featuresOf('What was in version 3?', text)['missingNumbers']).toBe(1);
    expect(featuresOf('What is in version 4.2?', text)['missingNumbers']).toBe(0);
  });

  it('misses no pair of characters that joins two words', () => {
    const text = '公司补贴晚餐。';
    expect(featuresOf('晚餐公司补贴', text)).toMatchObject({
      coveredByPassage: 1,
      unknownWords: 0,
    });
    expect(featuresOf('午餐公司补贴', text)).toMatchObject({ unknownWords: 1 });
  });

  it('expects the rare words of a short question, but not of one that a story comes before', () => {
    const text = 'Gifts are declined.';
    const known = ['hampers'];
    expect(featuresOf('Hampers?', text, { known })['fewWordsMissing']).toBe(1);
    const story = 'Hello! A supplier sent me something yesterday that is worth a lot. Hampers?';
    expect(featuresOf(story, text, { known })['fewWordsMissing']).toBe(0);
  });

  it('counts a missing word less if most of the others are missing too', () => {
    const text = 'Parcels may be returned within a month.';
    const common = ['may', 'be', 'within', 'a'];
    const one = featuresOf('May parcels be returned from Austria?', text, { common });
    const most = featuresOf('May goods sent home go from Austria returned?', text, { common });
    expect(one['missingAlone']).toBeGreaterThan(most['missingAlone'] ?? Infinity);
  });

  it('expects no words of a question in a text of another language', () => {
    const question = 'How long may customers keep the goods?';
    const text = 'Kunden dürfen die Ware einen Monat behalten.';
    expect(featuresOf(question, text, { language: 'en' })).toMatchObject({
      missingHeaviest: 1,
      foreign: 0,
    });
    const german = featuresOf(question, text, { language: 'de' });
    expect(german['missingHeaviest']).toBeUndefined();
    expect(german['foreign']).toBe(1);
  });

  it.each([
    ['Hi! The vase came yesterday, and it has a crack down one side. What am I to do?', 1],
    ['Hello! What am I to do with a vase that has a crack down one side?', 0],
  ])('knows a message that tells more than it asks: %s', (message, story) => {
    expect(featuresOf(message, 'Send it back.')).toMatchObject({ story });
  });

  it('takes no German noun for a name', () => {
    const question = 'Wie lange darf man die Ware behalten, bis der Zoll kommt?';
    expect(featuresOf(question, 'Man darf sie behalten.')['missingNames']).toBe(0);
  });

  it.each([
    ['How many eggs are there?', 'There are some eggs.', 1],
    ['How many eggs are there?', 'There are 12 eggs.', 0],
    ['Who lays eggs?', 'Eggs are laid.', 1],
    // Its letters have no case, so that a name looks like any word.
    ['谁写了这本书？', '王小明写了这本书。', 0],
  ])('knows whether the kind of answer is missing: %s %s', (question, text, typeMissing) => {
    expect(featuresOf(question, text)).toMatchObject({ typeMissing });
  });

  it('knows a number that is spelled out, also as a time', () => {
    const english = { language: 'en' };
    const when = featuresOf('When do eggs hatch?', 'Eggs hatch in three weeks.', english);
    expect(when['typeMissing']).toBe(0);
  });

  it('says how near documents and units come', () => {
    const passage = (document: string, similarity: number) => {
      const windows = [{ start: 0, end: 9, toAsked: similarity, toWhole: similarity }];
      return {
        text: 'Some eggs',
        title: '',
        heading: null,
        language: null,
        matched: [],
        document,
        windows,
      };
    };
    const read = (...passages: ReturnType<typeof passage>[]) => {
      const rated = ratePassages({ question: 'Eggs?', terms: [], passages });
      return new QuoteSelector(rated, WEIGHTS.meaning).computeDecisionFeatures() ?? {};
    };
    const two = read(passage('a', 0.75), passage('a', 0.625), passage('b', 0.25));
    expect(two).toMatchObject({ nearestUnit: 0.75, documentGap: 0.5 });
    expect(two['onlyDocument']).toBeUndefined();
    expect(two['nearestStandsOut']).toBeCloseTo(0.9, 2);
    const one = read(passage('a', 0.75), passage('a', 0.25));
    expect(one['onlyDocument']).toBe(1);
    expect(one['documentGap']).toBeUndefined();
  });

  it.each([
    ['What does E50 mean?', 1],
    ['What does E10 mean?', 0],
    ['How quickly is a P5 ticket solved?', 1],
    // The number is part of a word, and nothing marks where a word ends.
    ['簿記3級の受験料はいくらですか。', 0],
  ])('counts identifiers that are missing: %s', (question, missingIdentifiers) => {
    expect(featuresOf(question, 'E10: the battery is cold.')).toMatchObject({ missingIdentifiers });
  });

  it('takes a number for present where a range of the row has it', () => {
    const common = ['what', 'is', 'the', 'fee', 'for', 'a'];
    const fees = '| Boat | Fee |\n| up to 6 metres | £620 |\n| 6 to 9 metres | £940 |';
    const boat = featuresOf('What is the fee for a boat of 7 metres?', fees, { common });
    expect(boat).toMatchObject({ missingNumbers: 0, missingRow: 0 });
    const berths = 'Berths 14 to 31 must be vacated for the berth 2 works.';
    const berth = featuresOf('What if I have berth 20?', berths, { common: ['what', 'if', 'i'] });
    expect(berth['missingNumbers']).toBe(0);
    const none = featuresOf('What is the fee for a boat of 12 metres?', fees, { common });
    expect(none['missingNumbers']).toBe(1);
  });

  it('takes what lies beyond a limit for settled only where it is asked whether', () => {
    const text = 'Parcels up to 30 kg are accepted.';
    const common = ['is', 'a', 'of', 'what', 'does', 'where', 'why', 'was', 'ein'];
    const missing = (question: string, some = text) =>
      featuresOf(question, some, { common })['missingNumbers'];
    expect(missing('Is a parcel of 35 kg accepted?')).toBe(0);
    expect(missing('What does a parcel of 35 kg cost?', `${text} They cost £12.`)).toBe(1);
    expect(missing('Where is a parcel of 35 kg accepted?')).toBe(1);
    const german = 'Pakete bis 30 kg werden angenommen, für 12 €.';
    expect(missing('Was kostet ein Paket mit 35 kg?', german)).toBe(1);
    expect(missing('Wird ein Paket mit 35 kg angenommen?', german)).toBe(0);
    const french = 'Les colis jusqu’à 30 kg sont acceptés.';
    expect(missing('Est-ce que les colis de 35 kg sont acceptés ?', french)).toBe(0);
    expect(missing('Qu’est-ce qui arrive avec un colis de 35 kg ?', french)).toBe(1);
    const turkish = '30 kg kadar paketler alınır.';
    expect(missing('35 kg paket alınır mı?', turkish)).toBe(0);
    expect(missing('35 kg paket nedir?', turkish)).toBe(1);
    const spanish = 'Se aceptan paquetes hasta 30 kg.';
    expect(missing('¿Tengo que pagar paquetes de 35 kg?', spanish)).toBe(0);
    expect(missing('¿Qué paquetes de 35 kg se aceptan?', spanish)).toBe(1);
  });

  it('takes a number for present that a column is named by, whatever stands elsewhere', () => {
    const text =
      'Use a pin of diameter 8 mm.\n\n| Material | Ø 10 mm | Ø 40 mm |\n| Steel | 900 | 240 |\n| Brass | 1900 | 480 |';
    const common = ['what', 'is', 'the', 'of'];
    const of = (question: string) => featuresOf(question, text, { common })['missingNumbers'];
    expect(of('What is the speed of brass of diameter 40 mm?')).toBe(0);
    expect(of('What is the speed of brass of diameter 60 mm?')).toBe(2);
  });

  it('misses a price where one is asked for and a document has other numbers alone', () => {
    const common = ['how', 'much', 'does', 'a', 'the'];
    const of = (text: string) =>
      featuresOf('How much does a locker cost?', text, { common })['missingNumbers'];
    expect(of('There are 40 lockers near the showers.')).toBe(1);
    expect(of('There are 40 lockers, each 8 euros.')).toBe(0);
    expect(of('There are 40 lockers. The cost of each is 8.')).toBe(0);
    expect(of('The 40 lockers have a price of 8.')).toBe(0);
  });

  it('takes who does something for said where a sentence has all else of the question', () => {
    const text = 'The key to the laundry room is issued by the caretaker.';
    const common = ['who', 'the', 'to'];
    expect(featuresOf('Who issued the laundry key?', text, { common })['typeMissing']).toBe(0);
    expect(featuresOf('Who painted the laundry wall?', text, { common })['typeMissing']).toBe(1);
  });

  it('takes a day for an answer to when', () => {
    const [text, language] = ['Szkło odbieramy w co drugi piątek.', 'pl'];
    const of = (question: string) => featuresOf(question, text, { language })['typeMissing'];
    expect(of('Kiedy odbieramy szkło?')).toBe(0);
    expect(of('Ile kosztuje szkło?')).toBe(1);
  });

  it('takes keywords in Chinese characters for Japanese where the text is', () => {
    const of = (question: string) =>
      featuresOf(question, '貸切風呂は予約制です。', { language: 'ja' })['foreign'];
    expect([of('貸切風呂 料金'), of('包租浴池多少钱吗')]).toEqual([0, 1]);
  });

  it('takes a day for present where a range has it', () => {
    const text = 'The office is open Monday to Friday.';
    const options = { language: 'en', common: ['is', 'the', 'on'] };
    const missing = (question: string) => featuresOf(question, text, options)['missingAlone'];
    expect(missing('Is the office open on Wednesday?')).toBe(0);
    expect(missing('Is the office open on Sunday?')).toBeGreaterThan(0.5);
  });

  it('sees the role of who does something in a cell', () => {
    const table = '| Service | Paid by |\n| Night guard | Landlord |\n| Cleaning | Tenant |';
    const common = ['who', 'for', 'the'];
    expect(featuresOf('Who pays for the night guard?', table, { common })['typeMissing']).toBe(0);
  });
});

describe(QuoteSelector.name, () => {
  const passages = [
    { language: 'en', text: 'You have to give notice of three months before you cancel.' },
    { language: 'fr', text: 'Chez VéloDrive, le préavis est de 15 jours.' },
  ].map((one) => ({ ...one, title: '', heading: null, matched: [] }));
  const confidenceOf = (question: string, names: string[]) => {
    const terms = tokenize(question).map((word) => ({
      word: word.normalize('NFKD').replace(/\p{M}/gu, ''),
      stems: [stem(word)],
      weight: 1,
      isKnown: true,
      mayBeName: names.includes(word),
    }));
    const spans = new QuoteSelector(
      ratePassages({ question, terms, passages }),
      WEIGHTS.words,
    ).chooseSpans();
    return spans.map(({ passage }) => passage);
  };

  it('reads only those texts in another language that have a name which its own language lacks', () => {
    const names = ['vélodrive', 'avis', 'jours'];
    expect(confidenceOf('How much notice do I give to cancel at VéloDrive?', names)).toEqual([1]);
    // Neither for a word of that language, nor for one that is no name there.
    expect(confidenceOf('How much notice do I give to cancel at Jours?', names)).toContain(0);
    expect(confidenceOf('How much notice do I give to cancel?', names)).toContain(0);
  });
});
