import { expect } from '@jest/globals';
import { bm25 } from './bm25.js';
import { askedUntilWhole, type Client, type Document, outcome } from './client.js';

export interface Source {
  title: string;
  text: string;
  external_id?: string;
  language?: string;
}

export const COLLECTION: Source[] = [
  {
    title: 'Returns',
    text: 'Customers may return any order within 30 days of delivery. The refund is paid within five working days.',
  },
  {
    title: 'Refund times',
    text: 'A refund to a credit card takes up to ten days. Bank transfers are quicker.',
  },
  {
    title: 'Delivery',
    text: 'Parcels are delivered by bicycle within the city and by train everywhere else. Delivery to islands takes nine days.',
  },
  {
    title: 'Damaged goods',
    text: 'Send us a photograph of the damage. We deliver a replacement and collect the damaged order.',
  },
  {
    title: 'Gift cards',
    text: 'A gift card is valid for three years and cannot be exchanged for money.',
  },
  {
    title: 'Opening hours',
    text: 'The shop opens at nine and closes at six. On Sundays the café alone is open.',
  },
  {
    title: 'Bicycle repairs',
    text: 'Our mechanics repair bicycles of every make. A repair takes two days; brakes, gears and wheels are in stock.',
  },
  {
    title: 'Warranty',
    text: 'Frames carry a warranty of ten years, batteries one of two. Repairs under warranty are free of charge.',
  },
  {
    title: 'Batteries',
    text: 'Charge the battery indoors. A battery that is charged in frost is damaged and its warranty ends.',
  },
  {
    title: 'Careers',
    text: 'We are looking for mechanics who can repair electric bicycles, and for bakers.',
  },
  {
    title: 'The café',
    text: 'Coffee, crème brûlée and cake from our own bakery. Gift vouchers are sold at the counter.',
  },
  {
    title: 'Press',
    text: 'Photographs of the shop and of our bicycles may be printed free of charge.',
  },
];

/** A knowledge base of its own with these documents, in this order. */
export async function indexed(alice: Client, partner: Client, sources: Source[]) {
  const { id } = await alice.createKnowledgeBase();
  const { api_key: secret } = await alice.createApiKey(id);
  const documents: Document[] = [];
  for (const source of sources) documents.push(await alice.addDocument(id, source));
  const ask = async (question: string) => {
    const answer = await askedUntilWhole(() => partner.query(secret, question, { top_k: 50 }));
    expect(outcome(answer)).toBe('200');
    return answer.body.results.map(({ document_title, text, score }) => ({
      title: document_title,
      text,
      score,
    }));
  };
  return {
    id,
    documents,
    ask,
    titles: async (question: string) => (await ask(question)).map(({ title }) => title),
  };
}

export type Index = Awaited<ReturnType<typeof indexed>>;

/** What BM25 comes to on these passages, best first. */
export function ranking(sources: Source[], words: string) {
  const scores = bm25(sources, words);
  return sources
    .map(({ title, text }, position) => ({ title, text, score: Number(scores[position]) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

/**
 * A client sees s / (s + w) for a score s of BM25, where w is of the question: in proportion to the
 * best passage of the question, both say the same.
 */
export function bm25Proportions<T extends { readonly score: number }>(results: readonly T[]): T[] {
  return proportions(results.map((one) => ({ ...one, score: one.score / (1 - one.score) })));
}

/** Scores of BM25 to compare `bm25Proportions` with. */
export const rounded = <T extends { readonly score: number }>(results: readonly T[]) =>
  proportions(results).map((one) => ({ ...one, score: expect.closeTo(one.score, 3) }));

const proportions = <T extends { readonly score: number }>(results: readonly T[]): T[] =>
  results.map((one) => ({ ...one, score: one.score / Number(results[0]?.score) }));
