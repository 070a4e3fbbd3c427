import { describe, expect, it } from '@jest/globals';
import { isGrounded } from './grounded.js';

const passage = (text: string, more: object = {}) => ({
  documentTitle: 'Handbook',
  heading: null,
  page: null,
  language: null,
  text,
  ...more,
});
const isGroundedIn = (answer: string, ...texts: string[]) =>
  isGrounded(
    answer,
    texts.map((text) => passage(text)),
  );

describe(isGrounded.name, () => {
  it.each([
    ['Within 30 days. [1]', 'Customers may return any order within 30 days.'],
    ['It costs 1,250.00 euros.', 'Der Preis beträgt 1.250 Euro.'],
    ['It costs 1 250 euros.', 'The price is 1250 euros.'],
    ['From 08:30 to 18.00.', 'Open 8:30–18:00.'],
    ['It takes ٣٠ days.', 'It takes 30 days.'],
    ['1. Open it.\n2. Wait 25 minutes. [2]', 'Open the lid and wait for 25 minutes.'],
    ['The desk says “Return it unopened”.', 'Customers: return it, unopened, please.'],
    ['The first email was sent by Ray Tomlinson.', 'Ray Tomlinson sent the first email.'],
    ['It is at Kestrel’s desk.', 'It is at the desk of Kestrel Yard.'],
    ['Das erledigt eine Kollegin im Gebäude.', 'The desk does it.'],
    ['Open on Monday and the Ministry helps.', 'Am Montag ist offen, das Ministerium hilft.'],
    ['They may.', ''],
  ])('is true where the passages have what it says: %s', (answer, text) => {
    expect(isGroundedIn(answer, text)).toBe(true);
  });

  it.each([
    ['en', 'Within 14 days.', 'Return it within fourteen days.'],
    ['en', 'Within fourteen days.', 'Return it within 14 days.'],
    ['de', 'Innerhalb von 25 Tagen.', 'Binnen fünfundzwanzig Tagen.'],
    ['fr', 'Sous 30 jours.', 'Dans les trente jours.'],
    ['es', 'En 30 días.', 'En treinta días.'],
    ['it', 'Entro 30 giorni.', 'Entro trenta giorni.'],
    ['pt', 'Em 30 dias.', 'Em trinta dias.'],
    ['nl', 'Binnen 30 dagen.', 'Binnen dertig dagen.'],
    ['pl', 'W ciągu 30 dni.', 'W ciągu trzydziestu dni.'],
    ['cs', 'Do 30 dnů.', 'Do třiceti dnů.'],
    ['sv', 'Inom 30 dagar.', 'Inom trettio dagar.'],
    ['da', 'Inden for 30 dage.', 'Inden for tredive dage.'],
    ['no', 'Innen 30 dager.', 'Innen tretti dager.'],
    ['fi', 'Kahden viikon kuluessa.', '2 viikon kuluessa.'],
    ['tr', '30 gün içinde.', 'Otuz gün içinde.'],
    ['ru', 'В течение 30 дней.', 'В течение тридцати дней.'],
    ['uk', 'Протягом 30 днів.', 'Протягом тридцяти днів.'],
    ['el', 'Εντός 30 ημερών.', 'Εντός τριάντα ημερών.'],
    ['hu', '30 napon belül.', 'Harminc napon belül.'],
    ['vi', 'Trong 30 ngày.', 'Trong ba mươi ngày.'],
    ['ar', 'خلال 30 يوما.', 'خلال ثلاثين يوما.'],
    ['he', 'תוך 30 יום.', 'תוך שלושים יום.'],
    ['hi', '30 दिन में।', 'तीस दिन में।'],
    ['zh', '30天内。', '三十天内。'],
    ['ja', '30日以内です。', '三十日以内です。'],
    ['th', 'ภายใน 30 วัน', 'ภายในสามสิบวัน'],
  ])('reads numbers that are spelled out: %s, %s', (language, answer, text) => {
    expect(isGrounded(answer, [passage(text, { language })])).toBe(true);
    expect(isGrounded(answer.replace('30', '31'), [passage(text, { language })])).toBe(
      !answer.includes('30'),
    );
  });

  it('refuses a number in words that no passage has, unless it may count what is listed', () => {
    expect(isGroundedIn('You have sixty days to return it.', 'Return it in 30 days.')).toBe(false);
    expect(isGroundedIn('There are two ways: the desk and the post.', 'The desk, or post.')).toBe(
      true,
    );
  });

  it.each([
    ...['“return it”', '”return it”', '"return it"', '„return it“', '«return it»', '« return it »'],
    ...['»return it«', '‹return it›', '‘return it’', '‚return it‘', '״return it״', '「return it」'],
    ...['『return it』', '《return it》'],
  ])('knows the quotation marks of %s', (quotation) => {
    const answer = `The desk says ${quotation} today.`;
    expect(isGroundedIn(answer, 'Please *return it* today, the desk says.')).toBe(true);
    expect(isGroundedIn(answer, 'The desk says nothing today.')).toBe(false);
  });

  it('takes no apostrophe for a quotation mark', () => {
    const answer = 'The customers’ and the desk’s rules don’t differ.';
    expect(isGroundedIn(answer, 'Rules of customers and desk.')).toBe(true);
  });

  it.each([
    ['The rule is by O’Brien.', 'O’Brien made the rule.'],
    ['Toimisto on auki ja se on Helsingissä.', 'Toimisto on auki. Kaupunki on Helsinki.'],
    ['Biuro jest otwarte w Warszawie.', 'Biuro jest otwarte. Warszawa, centrum.'],
    ['Офис открыт в Москве.', 'Офис открыт. Город Москва.'],
    ['Ofis açık ve adresi İstanbul’dadır.', 'Ofis açık. İstanbul ve İzmir.'],
    ['Az iroda nyitva van, és Budapesttől messze.', 'Az iroda nyitva van és Budapest messze.'],
  ])('finds a name that is inflected: %s', (answer, text) => {
    expect(isGroundedIn(answer, text)).toBe(true);
  });

  it('is false for an answer that cites nothing', () => {
    expect(isGrounded('They may.', [])).toBe(false);
    expect(isGrounded('They may. [1]', [passage('They may.')])).toBe(true);
  });

  it('reads an answer in JSON by its texts', () => {
    const text = 'Return it within 30 days.';
    const answer = (days: number) =>
      `{"answer": "Within ${days} days.", "sources": [1], "of": 0.9}`;
    expect(isGroundedIn(answer(30), text)).toBe(true);
    expect(isGroundedIn(`\`\`\`json\n${answer(30)}\n\`\`\``, text)).toBe(true);
    expect(isGroundedIn(answer(31), text)).toBe(false);
    expect(isGroundedIn('{"answer": "Within 30 days.', text)).toBe(false);
  });

  it.each([
    ['a number', 'Within 60 days. [1]', 'Customers may return any order within 30 days.'],
    ['a fraction', 'It weighs 3.5 kg.', 'It weighs 35 kg.'],
    ['a number without a source', 'Within 30 days.', ''],
    ['a name', 'The order was taken by Grace Hopper.', 'The order was taken by Ray Tomlinson.'],
    ['a quotation', 'It says “never return it”.', 'You may return it.'],
  ])('is false where %s is in no passage', (_, answer, text) => {
    expect(isGroundedIn(answer, text)).toBe(false);
  });

  it('looks at all passages, their titles, headings and the texts beside them', () => {
    const passages = [
      passage('It is free.', { documentTitle: 'Prices 2026' }),
      passage('It is open.', { heading: 'Room 7', before: 'Call 112.', after: 'Or call 110.' }),
    ];
    expect(isGrounded('In 2026, room 7, call 112 or 110.', passages)).toBe(true);
    expect(isGrounded('In 2027.', passages)).toBe(false);
  });

  it('takes no longer for a long answer than its length', () => {
    const answer = 'Within 30 days, “quoted words” of Ray Tomlinson, 1 250. '.repeat(3000);
    expect(isGroundedIn(answer, 'Within 30 days, quoted words of Ray Tomlinson, 1250.')).toBe(true);
  });
});
