import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/client.js';
import { furnish } from '../../support/furnish.js';
import { EDITION_CASES, type EditionCase } from './cases.js';

interface Answer {
  answer: string;
  answered: boolean;
  answer_value?: string;
  conflict?: true;
  message_id: string;
  conversation_id: string;
  sources: { document_title: string; date: { value: string; from: string } | null }[];
}

describe('documents of several years', () => {
  let alice: Client;
  let partner: Client;
  /** A knowledge base with the documents of all cases. */
  let all: string;

  const begin = async (documents: readonly { title: string; text: string; date?: string }[]) => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: key } = await alice.createApiKey(id);
    // In this order, so that the newest is not the last that was added.
    for (const document of documents.toReversed()) {
      await alice.addDocument(id, { ...document, mime_type: 'text/markdown' });
    }
    return { key, id };
  };
  const ask = async (key: string, message: string) =>
    (await partner.post<Answer>('/chat', { api_key: key, message })).body;

  beforeAll(async () => {
    ({ alice, partner } = await furnish());
    ({ key: all } = await begin(EDITION_CASES.flatMap(({ documents }) => documents)));
  });

  const questions = EDITION_CASES.flatMap((one) => {
    const newest = Object.keys(one.values).at(-1) ?? '';
    return [
      ...Object.entries(one.ofYear).map(([year, question]) => ({ one, year, question })),
      ...one.ofNewest.map((question) => ({ one, year: newest, question })),
    ];
  });
  const findOthers = ({ values }: EditionCase, year: string) =>
    Object.entries(values).flatMap(([other, value]) => (other === year ? [] : [value]));

  it.each(questions.map((each) => [each.one.language, each.question, each] as const))(
    'answers the year that is asked for, or the newest, and says so: %s %s',
    async (_, question, { one, year }) => {
      const { answer, answered, conflict } = await ask(all, question);
      expect({ answered, conflict }).toEqual({ answered: true, conflict: undefined });
      expect(answer).toContain(one.values[year]);
      expect(answer).toContain(year);
      for (const value of findOthers(one, year)) expect(answer).not.toContain(value);
    },
  );

  const [rates] = EDITION_CASES;

  it('answers with each year where all are asked for, the newest first', async () => {
    const { answer } = await ask(all, 'How did the hourly rate for consulting change?');
    expect(answer).toMatch(/Rates 2026: .*118[^]*Rates 2025: .*104[^]*Rates 2024: .*95/);
  });

  it('refuses a year that no document is of', async () => {
    const { key } = await begin(rates?.documents ?? []);
    const { answered } = await ask(key, 'What is the hourly rate for consulting in 2019?');
    expect(answered).toBe(false);
  });

  it('finds the newest of many years, however few passages are asked for', async () => {
    const years = Array.from({ length: 9 }, (_, index) => 2018 + index);
    const filler = 'The terms of the house apply to all orders that customers place. ';
    const { key } = await begin(
      years.map((year) => ({
        title: `Conditions ${year}`,
        text: `${filler.repeat(8)}The deposit for an order is ${year - 2000} euros.`,
      })),
    );
    const ask3 = (message: string) =>
      partner.post<Answer>('/chat', { api_key: key, message, top_k: 3 });
    const { body: newest } = await ask3('What is the deposit for an order?');
    expect(newest.answer).toMatch(/Conditions 2026: .*26 euros/s);
    const { body: asked } = await ask3('What was the deposit for an order in 2021?');
    expect(asked.answer).toMatch(/Conditions 2021: .*21 euros/s);
  });

  it('goes by given dates where titles name no year', async () => {
    const { key } = await begin([
      { title: 'Price list A', text: 'The annual fee is 80 euros.', date: '2024-05' },
      { title: 'Price list A', text: 'The annual fee is 90 euros.', date: '2025-02-01' },
    ]);
    const { answer } = await ask(key, 'What was the annual fee in 2024?');
    expect(answer).toContain('80 euros');
    expect(answer).not.toContain('90 euros');
    const latest = await ask(key, 'What is the annual fee?');
    expect(latest.answer).toContain('Price list A, 2025-02-01: The annual fee is 90 euros.');
    expect(latest.sources.map(({ date }) => date?.value).sort()).toEqual(['2024-05', '2025-02-01']);
  });

  it('says that documents contradict each other, and keeps it', async () => {
    const { key } = await begin([
      { title: 'Handbook', text: 'The notice period for tenants is 4 weeks.', date: '2025-03' },
      {
        title: 'Handbook copy',
        text: 'The notice period for tenants is 6 weeks.',
        date: '2025-01',
      },
    ]);
    const question = 'How long is the notice period for tenants?';
    const { answer, conflict, answer_value, conversation_id } = await ask(key, question);
    expect({ conflict, answer_value }).toEqual({ conflict: true, answer_value: undefined });
    expect(answer).toMatch(
      /^Handbook, 2025-03: .* 4 weeks.*\n\nHandbook copy, 2025-01: .* 6 weeks/,
    );
    const { body } = await alice.get<object>(`/conversations/${conversation_id}/messages`);
    expect(JSON.stringify(body)).toContain('"conflict":true');
  });

  it('says no conflict where each document is about something else', async () => {
    const { key } = await begin([
      { title: 'Prices Austria', text: 'The monthly fee for members is 30 euros.' },
      { title: 'Prices Norway', text: 'The monthly fee for members is 45 euros.' },
    ]);
    const { answered, conflict } = await ask(key, 'How high is the monthly fee for members?');
    expect({ answered, conflict }).toEqual({ answered: true, conflict: undefined });
  });
});
