import { describe, expect, it } from '@jest/globals';
import { embeddedUnits } from './embedded-units.js';
import { inverseFrequency } from '@latchkey/ranking/bm25';
import { stem, tokenize } from '@latchkey/text/tokenize';
import { ratePassages, readPassages } from './read-passages.js';
import type { QuotablePassage } from './reading.js';
import { DEFAULT_THRESHOLD } from './confidence.js';

const PASSAGES = 100;

/** Reads texts as passages of a knowledge base that contains nothing else. */
function read(
  question: string,
  texts: string[],
  stopWords: string[] = [],
  cells: QuotablePassage['cells'] = null,
  more: Partial<QuotablePassage> | ((index: number) => Partial<QuotablePassage>) = {},
) {
  const stems = texts.map((text) => new Set(tokenize(text).map((word) => stem(word))));
  const words = tokenize(question).filter((word) => !stopWords.includes(word));
  const terms = [...new Set(words)].map((word) => {
    const frequency = stems.filter((some) => some.has(stem(word))).length;
    const weight = inverseFrequency(frequency, PASSAGES);
    return { word, stems: [stem(word)], weight, isKnown: frequency > 0, mayBeName: false };
  });
  const passages = texts.map((text, index) => ({
    text,
    title: '',
    heading: null,
    language: null,
    cells,
    matched: words.filter((word) => stems[index]?.has(stem(word))),
    ...(typeof more === 'function' ? more(index) : more),
  }));
  const reading = readPassages({ question, terms, passages });
  const quoted = reading.paragraphs.map(({ passage, text }) => `${text} [${passage + 1}]`);
  return { ...reading, quotation: quoted.join('\n\n') };
}

describe(readPassages.name, () => {
  it('finds a question relevant by the words that the passages have', () => {
    const text = 'King County Metro operates buses in Seattle.';
    const known = read('Who operates buses in Seattle?', [text], ['who', 'in']).confidence;
    const unknown = read(
      'Who is the king of France?',
      [text],
      ['who', 'is', 'the', 'of'],
    ).confidence;
    expect(known).toBeGreaterThan(DEFAULT_THRESHOLD);
    expect(unknown).toBeLessThan(known);
  });

  it('finds nothing relevant to few words where the rarest is nowhere', () => {
    const towns = ['Bergen', 'Oslo', 'Moss', 'Hamar', 'Narvik', 'Molde', 'Halden', 'Skien'];
    const texts = towns.map((town) => `Members may buy chairs in ${town}.`);
    expect(read('buy chairs', texts).confidence).toBeGreaterThan(DEFAULT_THRESHOLD);
    expect(read('buy bitcoin chairs', texts).confidence).toBe(0);
  });

  it('finds what comes nearest to an answer in each passage, the best first', () => {
    const texts = [
      'A puffin digs a burrow. Its bill is red.',
      'The eggs of a penguin are kept warm. Nobody sells them.',
    ];
    const { nearest } = read('Where are the eggs of a puffin kept?', texts, [
      'where',
      'are',
      'the',
    ]);
    expect(nearest.map(({ passage, text }) => [passage, text])).toEqual([
      [1, 'The eggs of a penguin are kept warm.'],
      [0, 'A puffin digs a burrow.'],
    ]);
    for (const { passage, start, end, text } of nearest) {
      expect(texts[passage]?.slice(start, end)).toBe(text);
    }
  });

  it('decides by the passages before they were reranked, and quotes those that are shown', () => {
    const terms = [{ word: 'swim', stems: ['swim'], weight: 1, isKnown: true, mayBeName: false }];
    const passage = (text: string) => ({
      text,
      title: '',
      heading: null,
      language: null,
      matched: [],
    });
    const [swims, flies] = [passage('Penguins swim well.'), passage('An albatross flies far.')];
    const question = 'What can swim?';
    const shown = readPassages({
      question,
      terms,
      passages: [flies],
      original: [swims],
    });
    expect(shown.confidence).toBeGreaterThan(0.5);
    expect(shown).toMatchObject({ paragraphs: [], quotes: [] });
    const hidden = readPassages({
      question,
      terms,
      passages: [swims],
      original: [flies],
    });
    expect(hidden).toMatchObject({
      confidence: 0,
      paragraphs: [{ passage: 0, text: 'Penguins swim well.' }],
    });
  });

  it('reads nothing once the client has disconnected', () => {
    const terms = [{ word: 'swim', stems: ['swim'], weight: 1, isKnown: true, mayBeName: false }];
    const passages = ['Penguins swim.', 'Seals swim.'].map((text) => ({
      ...{ text, title: '', heading: null, language: null, matched: [] },
    }));
    let asked = 0;
    const reading = readPassages({ question: 'swim', terms, passages }, () => ++asked > 0);
    expect(reading).toEqual({
      confidence: 0,
      paragraphs: [],
      quotes: [],
      conflict: false,
      nearest: [],
    });
  });

  it('quotes the sentence that answers, without marks of Markdown', () => {
    const text =
      '## Returns\n\n- Customers may **return** an order within `30 days` [7].\n\n## Bye';
    const { quotation } = read('How long may customers return an order?', [text]);
    expect(quotation).toBe('Customers may return an order within 30 days. [1]');
  });

  it.each([
    'Penguins [7] swim 20 km an hour [1, 2].\n[3]',
    '[1] Penguins swim 20 km an hour.',
    'Birds of the south.\n[2] Penguins swim 20 km an hour. [3]',
    'Birds of the south.\r\n\t [2, 3] Penguins swim 20 km an hour.',
  ])('quotes no citation of the document as one of its own: %j', (text) => {
    const { quotation } = read('How fast do penguins swim?', [text]);
    expect(quotation).toMatch(/Penguins swim 20 km an hour\. \[1\]$/);
    expect(quotation.match(/\[\d/g)).toHaveLength(1);
  });

  it('quotes what follows a question of the document, not the question', () => {
    const text = 'May customers return an order?\nYes, within a month.';
    expect(read('May customers return an order?', [text]).quotation).toBe(
      'Yes, within a month. [1]',
    );
  });

  it('says where in the passage the quotation stands', () => {
    const text =
      '## Returns\n\n- Customers may **return** an order within `30 days` [7].\n\n## Bye';
    const { quotes } = read('How long may customers return an order?', [text]);
    const quoted = 'Customers may **return** an order within `30 days` [7].';
    const start = text.indexOf(quoted);
    expect(quotes).toEqual([{ passage: 0, start, end: start + quoted.length, text: quoted }]);
  });

  it('prefers a number where one is asked for', () => {
    const texts = ['Penguins swim fast in water.', 'Penguins swim 20 km in water.'];
    expect(read('How many km do penguins swim in water?', texts).quotation).toContain('20 km');
  });

  it('quotes what stands around the words of the question where only spaces divide a text', () => {
    const nothing = 'ที่นี่ไม่มีอะไรเกิดขึ้น '.repeat(12);
    const text = `${nothing}นกเพนกวินอาศัยอยู่ที่ขั้วโลกใต้ และว่ายน้ำได้เร็ว ${nothing}`;
    const { quotation } = read('นกเพนกวินอาศัยอยู่ที่ใด', [text]);
    expect(quotation).toContain('ขั้วโลกใต้ และว่ายน้ำได้เร็ว');
    expect(quotation.length).toBeLessThan(600);
  });

  it('quotes a name that a dictionary does not know, where it is segmented in another way', () => {
    const nothing = 'ที่นี่ไม่มีอะไรเกิดขึ้น '.repeat(12);
    const text = `${nothing}ทีมของแพนเธอร์สชนะเลิศ ${nothing}`;
    const { quotation } = read('แพนเธอร์สที่นี่', [text]);
    expect(quotation).toContain('แพนเธอร์สชนะเลิศ');
  });

  it('prefers the neighbour of a sentence to one of another passage that adds little', () => {
    const texts = [
      'Penguins swim in cold oceans. They hunt fish in the dark.',
      'Elephants live in the dark forest. They eat grass.',
    ];
    const { quotation } = read('Where do penguins swim and hunt in the dark?', texts);
    expect(quotation).toContain('They hunt fish in the dark. [1]');
    expect(quotation).not.toContain('[2]');
  });

  it('begins with what answers, not with a sentence before it that has nothing to do with it', () => {
    const text = 'The shop is open on Sundays. Penguins swim 20 km an hour in water.';
    const { quotation } = read('How many km do penguins swim in water?', [text]);
    expect(quotation).toBe('Penguins swim 20 km an hour in water. [1]');
  });

  it('quotes another sentence only for a word that is not quoted already', () => {
    const question = 'How do careful keepers weigh hungry young penguins every cold spring?';
    const best = 'Young penguins are put on scales by two people.';
    const quotation = (other: string) => read(question, [best, other], ['how', 'do']).quotation;
    expect(quotation('The zoo has seven penguins.')).toBe(`${best} [1]`);
    expect(quotation('The keepers work in pairs.')).toContain('The keepers work in pairs. [2]');
  });

  it('quotes at most 120 words', () => {
    const long = `Penguins ${'x'.repeat(590)}${'\u{1f427}'.repeat(200)} ${'swim and '.repeat(200)}`;
    const { quotation } = read('Penguins swim?', [long, `${long}.`]);
    expect(quotation.split(/\s+/).length).toBeLessThanOrEqual(122);
  });

  it('cuts no character in two', () => {
    const filler = 'Nothing happens here. '.repeat(1800);
    for (const text of [
      // A sentence that is too long to be quoted, with a word that is, too.
      `Penguins ${'dive and '.repeat(20)}x${'\u{10428}'.repeat(1000)} ${'swim and '.repeat(50)}.`,
      // Passages that are longer than what is read of them. One of the two ends within a character.
      ...['', 'x'].map((shift) => `${filler}Penguins swim${shift}${'\u{10428}'.repeat(1000)}.`),
    ]) {
      const { quotation } = read('Penguins?', [text]);
      expect(quotation).toContain('Penguins');
      expect(quotation.isWellFormed()).toBe(true);
      expect(quotation).not.toContain('\ufffd');
    }
  });

  it('quotes rows of one table together, in its order and under the names of its columns', () => {
    const text = '| Item | Price |\n| Canoe | 48 |\n| Tent | 14 |\n| Kayak | 29 |';
    const { quotation, quotes } = read('What do a kayak and a canoe cost?', [text]);
    expect(quotation).toBe('Item | Price\nCanoe | 48\nKayak | 29 [1]');
    expect(quotes.map((quote) => quote.text)).toEqual(['| Canoe | 48 |', '| Kayak | 29 |']);
  });

  it('quotes each row whose name the question has, though that is no word which is searched for', () => {
    const rows = ['A', 'C', 'D'].map((name) => [name, `${name.charCodeAt(0)}`]);
    const cells = { columns: ['Category', 'Bonus'], rows };
    const text = [cells.columns, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
    const question = '区分Aと区分DではBonusはどう違いますか。';
    expect(read(question, [text], ['a'], cells).quotation).toBe(
      'Category | Bonus\nA | 65\nD | 68 [1]',
    );
  });

  it('quotes nothing beside the row that the question names', () => {
    const rows = [
      ['Violin', '80', '50'],
      ['Guitar', '75', '45'],
    ];
    const cells = { columns: ['Lessons', 'Single', 'Group'], rows };
    const table = [cells.columns, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
    const text = `The price of a room for a group is 4.\n\n${table}`;
    const { quotation } = read('Violin price in a group?', [text], ['in', 'a'], cells);
    expect(quotation).toBe('Lessons | Single | Group\nViolin | 80 | 50 [1]');
  });

  it('decides by the row that is quoted, and not by a sentence that is nearer to the question', () => {
    const rows = [
      ['Gruppenunterricht', '41 €'],
      ['Einzelunterricht', '98 €'],
    ];
    const cells = { columns: ['Angebot', 'Beitrag'], rows };
    const table = [cells.columns, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
    const text = `Der Gruppenunterricht ist für Kinder.\n\n${table}`;
    const question = 'Was kostet Gruppenunterricht?';
    const { quotation, confidence } = read(question, [text], ['was', 'kostet'], cells);
    expect(quotation).toBe('Angebot | Beitrag\nGruppenunterricht | 41 € [1]');
    expect(confidence).toBeGreaterThan(DEFAULT_THRESHOLD);
  });

  it('has as much space between sentences and clauses as the document', () => {
    const chinese = '退货期限为三十天。逾期不予退货。';
    expect(read('退货期限 逾期', [chinese]).quotation).toBe(`${chinese} [1]`);
    const thai = 'คืนสินค้าได้ภายในสามสิบวัน หลังจากนั้นไม่รับคืน โปรดเก็บใบเสร็จ';
    expect(read('คืนสินค้าได้ภายในกี่วัน', [thai]).quotation).toBe(`${thai} [1]`);
  });

  it('quotes the table that a sentence introduces', () => {
    const text =
      'Notice periods for both sides:\n\n| Service | Weeks |\n| one year | 4 |\n| later | 8 |\n\nBring your pass.';
    expect(read('What is the notice period?', [text]).quotation).toBe(
      'Notice periods for both sides:\nService | Weeks\none year | 4\nlater | 8 [1]',
    );
  });

  it('quotes the command that a sentence introduces', () => {
    const text =
      'A secret key is random. Generate one by this command:\n\nopenssl rand -hex\n\nBye.';
    expect(read('How do I generate a secret key?', [text]).quotation).toContain('openssl rand');
  });

  it('quotes sentences that follow each other as they stand, with one citation', () => {
    const text = `Lost parcels are searched. ${'Nobody knows where they are. '.repeat(9)}`;
    const texts = [`${text}If a parcel is late, write to us. A parcel is searched within days.`];
    const { quotation } = read('When is a late parcel searched?', texts);
    expect(quotation).toContain(
      'If a parcel is late, write to us. A parcel is searched within days. [1]',
    );
  });

  it('quotes what two documents say in the same words once', () => {
    const text = 'Penguins swim 20 km an hour.';
    expect(read('How fast do penguins swim?', [text, text]).quotation).toBe(`${text} [1]`);
  });

  it('completes a follow-up by the question before it', () => {
    const texts = ['A canoe costs little a day.', 'A canoe costs 48 a day.'];
    const terms = ['canoe', 'kayak', 'cost', 'day'].map((word) => ({
      ...{ word, stems: [word], weight: 1, isKnown: true, mayBeName: false },
    }));
    const passages = texts.map((text) => ({
      ...{ text, title: '', heading: null, language: 'en', matched: [] },
    }));
    const question = 'And a canoe?';
    const ask = (context: string[]) => readPassages({ question, context, terms, passages });
    const completed = ask(['How much does a kayak cost a day?']);
    expect(ask([]).paragraphs[0]?.text).toBe(texts[0]);
    expect(completed.paragraphs[0]?.text).toBe(texts[1]);
  });

  it('quotes nothing where no sentence has a word of the question', () => {
    expect(read('Elephants?', ['Penguins swim.']).quotation).toBe('');
  });

  it('quotes the sentence that is nearest itself, of those in one window', () => {
    const text =
      'The office opens at nine. Money comes back in five days. The yard is locked at night.';
    const passage = { text, title: 'Shop', heading: null, language: 'en', matched: [] };
    const windows = [{ start: 0, end: text.length, toAsked: 0.5, toWhole: 0.5 }];
    const sentences = embeddedUnits(passage).map(({ start, end, embedded }) => {
      const similarity = embedded.includes('Money') ? 0.9 : 0.3;
      return { start, end, toAsked: similarity, toWhole: similarity };
    });
    const { paragraphs } = readPassages({
      ...{ question: 'When is a refund paid?', terms: [] },
      passages: [{ ...passage, windows, sentences }],
    });
    expect(paragraphs[0]?.text).toMatch(/^Money comes back in five days\./);
  });

  it('quotes more than a sentence that is as short as a heading', () => {
    const text =
      'Article 6: Guests of members. Three nights are allowed. The board is told before.';
    const { quotation } = read('What does article 6 say?', [text], ['what', 'does', 'say']);
    expect(quotation).toMatch(/^Article 6: Guests of members. Three nights/);
  });

  it('quotes the list that the sentence which answers introduces', () => {
    const text = [
      'Open hours are posted.',
      '',
      'After contact with hot oil:',
      '1. Switch the stove off.',
      '2. Cool the skin for a long time.',
      '3. Call the teacher.',
    ].join('\n');
    const { quotation } = read('contact with hot oil', [text]);
    expect(quotation).toContain('Call the teacher.');
  });

  describe('in what real documents were seen to have', () => {
    const PEOPLE =
      'Sofia Renn runs the bakery on Mill Street. She opens at six and bakes rye bread on Fridays.';

    it.each([
      ['Who bakes rye bread on Fridays?', PEOPLE],
      ['Who found a leak?', 'Engineers Falk and Yilmaz tested it. They found a leak.'],
      ['Wer prüft Bremsen?', 'Jana Kolb leitet die Werkstatt. Sie prüft Bremsen.', 'de'],
      ['¿Quién revisa frenos?', 'Lucía Ramos dirige el taller. Ella revisa frenos.', 'es'],
      ['Who bakes rye bread?', 'Everybody knows Sofia Renn. She bakes rye bread.'],
    ])('names the person where one is asked for: %s', (question, text, language = 'en') => {
      const stopWords = ['who', 'on', 'a', 'wer', 'quién'];
      expect(read(question, [text], stopWords, null, { language }).quotation).toBe(`${text} [1]`);
    });

    it('names the person by the heading where no sentence does', () => {
      const text = '## Ida Moe\n\nShe opens the archive.\n\n## Rooms\n\nThere are two.';
      const { quotation } = read('Who opens the archive?', [text], ['who', 'the']);
      expect(quotation).toBe('Ida Moe: She opens the archive. [1]');
    });

    it('adds nothing to a sentence that names the person', () => {
      const text = 'The shop is old. Every day Sofia Renn bakes rye bread.';
      const { quotation } = read('Who bakes rye bread?', [text], ['who']);
      expect(quotation).toBe('Every day Sofia Renn bakes rye bread. [1]');
    });

    it('quotes the sentence beside it that has the rest of what is asked', () => {
      const text = 'Marko Bilic is the site manager. He can be reached at extension 4410.';
      const stopWords = ['what', 'is', 'the', 'of'];
      const { quotation } = read('What is the extension of Marko Bilic?', [text], stopWords);
      expect(quotation).toContain('4410');
    });

    const CRANES = {
      columns: ['Model', 'Load', 'Price', 'Motor'],
      rows: [
        ['KX-10', '1000', '18,400', 'electric'],
        ['KX-100', '1200', '21,900', 'electric'],
        ['KX-1000', '5000', '64,000', 'diesel'],
        ['KX-100S', '1250', '23,500', 'hybrid'],
      ],
    };
    const TABLE = [CRANES.columns, ...CRANES.rows]
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n');

    it.each([
      ['Is the KX-100 hybrid?', 'KX-100 | 1200'],
      ['Is the KX-100S electric?', 'KX-100S | 1250'],
      ['Is the KX-10 diesel?', 'KX-10 | 1000'],
      ['What does the KX-1000 cost?', 'KX-1000 | 5000'],
    ])('takes an identifier as a whole: %s', (question, row) => {
      const text = `${TABLE}\n\nThe KX-1000 needs a concrete foundation of 40 cm.`;
      const stopWords = ['is', 'the', 'what', 'does'];
      const { quotation, confidence } = read(question, [text], stopWords, CRANES);
      expect(quotation.split('\n')).toEqual(['Model | Load | Price | Motor', expect.any(String)]);
      expect(quotation).toContain(row);
      expect(confidence).toBeGreaterThan(DEFAULT_THRESHOLD);
    });

    it('takes a code in another spelling', () => {
      const { quotation, value } = read(
        'What does the kx100 cost?',
        [TABLE],
        ['what', 'does', 'the'],
        CRANES,
      );
      expect(quotation).toBe('Model | Load | Price | Motor\nKX-100 | 1200 | 21,900 | electric [1]');
      expect(value?.text).toBe('21,900');
    });

    it('quotes the row that has the value, not the prose that names its code', () => {
      const cranes = { ...CRANES, columns: ['Model', 'Load', 'Price (EUR)', 'Motor'] };
      const table = TABLE.replace('Price', 'Price (EUR)');
      const prose = 'The cost of the foundation of the KX-1000 is borne by the buyer.';
      const ask = (question: string) =>
        read(question, [`${table}\n\n${prose}`], ['what', 'does', 'the', 'who', 'of'], cranes);
      const { quotation, value } = ask('What does the KX-1000 cost?');
      expect(quotation).toMatch(/\nKX-1000 \| 5000 \| 64,000 \| diesel \[1\]$/);
      expect(value?.text).toBe('64,000');
      expect(ask('Who bears the cost of the foundation of the KX-1000?').quotation).toContain(
        prose,
      );
    });

    it('has no value where several rows or editions have one', () => {
      const stopWords = ['what', 'do', 'the', 'and', 'load', 'of'];
      expect(
        read('Load of the KX-10 and the KX-100?', [TABLE], stopWords, CRANES).value,
      ).toBeUndefined();
      expect(readRates('How did the hourly rate change for consulting?').value).toBeUndefined();
    });

    const RATES = ['2024', '2025', '2026'].map((year, index) => ({
      heading: `Rates ${year}`,
      text: `The hourly rate for consulting is ${95 + 10 * index} euros.`,
    }));
    const STOP_WORDS = ['what', 'is', 'the', 'for', 'in'];
    const readRates = (question: string) =>
      read(
        question,
        RATES.map(({ text }) => text),
        STOP_WORDS,
        null,
        (index) => ({ heading: RATES[index]?.heading ?? null }),
      );

    const readFees = (dates: (string | undefined)[], fees = ['30', '35']) =>
      read(
        'How much is the monthly fee?',
        [`The monthly fee is ${fees[0]} euros.`, `Guests pay a monthly fee of ${fees[1]} euros.`],
        ['how', 'much', 'is', 'the'],
        null,
        (index) => ({
          title: ['Prices', 'FAQ'][index] ?? '',
          document: `d${index}`,
          date: dates[index],
        }),
      ).quotation.split('\n\n');

    it('says of which document and day each value is where documents of different days differ', () => {
      expect(readFees(['2025-03-01', '2026-10-12'])).toEqual([
        'Prices, 2025-03-01: The monthly fee is 30 euros. [1]',
        'FAQ, 2026-10-12: Guests pay a monthly fee of 35 euros. [2]',
      ]);
    });

    it.each([
      ['days are the same', ['2026-10-12', '2026-10-12'], ['30', '35']],
      ['days are unknown', [undefined, undefined], ['30', '35']],
      ['values are the same', ['2025-03-01', '2026-10-12'], ['30', '30']],
    ])('says no day where %s', (_, dates, fees) => {
      expect(readFees(dates, fees)[0]).toBe('The monthly fee is 30 euros. [1]');
    });

    it('takes the document that is titled with the year asked for', () => {
      const { quotation, confidence } = readRates(
        'What is the hourly rate for consulting in 2025?',
      );
      expect(quotation).toBe('Rates 2025: The hourly rate for consulting is 105 euros. [2]');
      expect(confidence).toBeGreaterThan(DEFAULT_THRESHOLD);
    });

    it.each([
      'What is the hourly rate for consulting?',
      'What is the latest hourly rate for consulting?',
    ])('takes the newest of what differs by year: %s', (question) => {
      const { quotation, confidence, conflict } = readRates(question);
      expect(quotation).toBe('Rates 2026: The hourly rate for consulting is 115 euros. [3]');
      expect(confidence).toBeGreaterThan(DEFAULT_THRESHOLD);
      expect(conflict).toBe(false);
    });

    it.each(['How did the hourly rate change for consulting?', 'The hourly rate, all years'])(
      'quotes each year from the newest on where several are asked for: %s',
      (question) => {
        expect(readRates(question).quotation).toMatch(
          /^Rates 2026: .*115.* \[3\]\n\nRates 2025: .*\n\nRates 2024: /,
        );
      },
    );

    it('quotes the years that are compared, and no other', () => {
      const { quotation } = readRates('Compare the hourly rate for consulting of 2024 and 2025');
      expect(quotation).toMatch(/^Rates 2025: .*105.*\n\nRates 2024: .*95/);
      expect(quotation).not.toContain('2026');
    });

    it('takes the newest where another wording has the value', () => {
      const texts = [
        'The deposit for an order is 18 euros.',
        'For each order a deposit of 26 euros is paid.',
      ];
      const { quotation } = read(
        'How high is the deposit for an order?',
        texts,
        ['how', 'high', 'is', 'the', 'for', 'an'],
        null,
        (index) => ({
          title: `Conditions ${2018 + index}`,
        }),
      );
      expect(quotation).toBe('Conditions 2019: For each order a deposit of 26 euros is paid. [2]');
    });

    it('keeps what a later document does not say', () => {
      const texts = ['The choir has 30 members.', 'The orchestra has 12 players.'];
      const { quotation } = read(
        'How many members does the choir have?',
        texts,
        ['how', 'many', 'does', 'the', 'have'],
        null,
        (index) => ({
          title: `Newsletter ${2024 + 2 * index}`,
        }),
      );
      expect(quotation).toContain('The choir has 30 members. [1]');
    });

    it('refuses a year that no document is of', () => {
      expect(readRates('What is the hourly rate for consulting in 2019?').confidence).toBe(0);
    });

    it.each([
      ['What happened on 9 February 2026?', 'The council met on 2026-02-09.'],
      ['What ended on 2026-10-14?', 'The audit ended on 14 October 2026.'],
      ['What was renovated on 5 April 2026?', 'On 5.4.2026 the canteen was renovated.'],
    ])('finds a date in another spelling: %s', (question, text) => {
      const texts = [text, 'On 3 May 2025 the old kitchen ended.'];
      const { quotation, confidence } = read(question, texts, ['what', 'on', 'was'], null, {
        language: 'en',
      });
      expect(quotation).toContain(text);
      expect(confidence).toBeGreaterThan(DEFAULT_THRESHOLD);
    });

    it('refuses another date', () => {
      const text = 'The council met on 2026-02-09.';
      const { confidence } = read('What happened on 10 February 2026?', [text], ['what', 'on']);
      expect(confidence).toBeLessThan(DEFAULT_THRESHOLD);
    });

    it.each([
      ['en', 'How long does the warranty last?', 'The warranty lasts two years.'],
      ['en', 'When do gift cards expire?', 'Gift cards never expire.'],
      ['en', 'How much is the charge for returns?', 'There is no charge for returns.'],
      ['de', 'Wie lange gilt die Garantie?', 'Die Garantie gilt zwei Jahre.'],
      ['de', 'Wann verfallen Gutscheine?', 'Gutscheine verfallen nie.'],
      ['fr', 'Combien de temps dure la garantie ?', 'La garantie dure deux ans.'],
      ['pl', 'Jak długo trwa gwarancja?', 'Gwarancja trwa dwa lata.'],
      [null, 'Kiedy wygasają karty podarunkowe?', 'Karty podarunkowe nigdy nie wygasają.'],
      ['ru', 'Когда истекают карты?', 'Карты никогда не истекают.'],
      ['ja', '保証期間は何年ですか。', '保証期間は二年です。'],
    ])('takes words for a number or a time (%s): %s', (language, question, text) => {
      const common = 'how long does the do when much is for wie lange die wann combien de temps la';
      expect(typeMissing(question, text, language, common.split(' '))).toBe(0);
    });

    it.each([
      ['How many gift cards are there?', 'Gift cards never expire.'],
      ['How many parking spaces are there?', 'There are no parking spaces for trucks.'],
      ['When does the museum open?', 'The museum never opens its archive.'],
      ['How much does delivery cost?', 'Delivery costs vary.'],
    ])('takes no denial of something else for an answer: %s', (question, text) => {
      const common = 'how many are there when does the much'.split(' ');
      expect(typeMissing(question, text, 'en', common)).toBe(1);
    });
  });
});

/** Whether the unit of a text that answers best lacks the time or number that is asked for. */
function typeMissing(
  question: string,
  text: string,
  language: string | null,
  common: readonly string[],
) {
  const inText = new Set(tokenize(text, language).map((word) => stem(word, language)));
  const terms = tokenize(question, language)
    .filter((word) => !common.includes(word))
    .map((word) => ({ word, stems: [stem(word, language)] }))
    .filter(({ stems }) => stems.some((one) => inText.has(one)))
    .map((term) => ({ ...term, weight: 1, isKnown: true, mayBeName: false }));
  const passage = { text, title: '', heading: null, language, matched: [] };
  const { passages } = ratePassages({ question, terms, passages: [passage] });
  return passages[0]?.units[0]?.features['typeMissing'];
}
