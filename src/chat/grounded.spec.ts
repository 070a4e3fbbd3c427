import { describe, expect, it } from '@jest/globals';
import { isGrounded } from './grounded.js';

const passage = (text: string, more: object = {}) => ({
  documentTitle: 'Handbook',
  heading: null,
  page: null,
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
