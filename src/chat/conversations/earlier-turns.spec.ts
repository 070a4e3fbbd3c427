import { describe, expect, it } from '@jest/globals';
import type { OpenContent } from '../../documents/closed-documents.js';
import { limitDocuments, pairTurns } from './earlier-turns.js';
import { Message } from './message.entity.js';

const KB = 'kb_1';
const ASKED_AT = new Date('2026-01-02T00:00:00Z');

const message = (role: Message['role'], content: string, changes: Partial<Message> = {}) =>
  Object.assign(new Message(), {
    ...{
      role,
      content,
      status: 'complete',
      filterHash: null,
      sources: [],
      contextDocumentIds: null,
    },
    createdAt: ASKED_AT,
    ...changes,
  });
const question = (content: string) => message('user', content);
const answer = (content: string, changes: Partial<Message> = {}) =>
  message('assistant', content, changes);
const open = (id: string, since: string | null = null): [string, OpenContent] => [
  id,
  { mark: id, since: since === null ? null : new Date(since) },
];

describe(pairTurns, () => {
  const pair = (
    messages: Message[],
    restriction: string | null,
    ...contents: [string, OpenContent][]
  ) => pairTurns(messages, KB, restriction, new Map(contents)).map((turn) => turn.answer);

  it('pairs each question with its answer, and leaves out those without a complete one', () => {
    const messages = [
      ...[question('1'), answer('one')],
      ...[question('2'), answer('two', { status: 'failed' })],
      ...[question('3'), question('4'), answer('four')],
    ];
    expect(pair(messages, null)).toEqual(['one', 'four']);
  });

  it('leaves out answers that were given under another filter, if the key has one', () => {
    const messages = [
      ...[question('1'), answer('unfiltered')],
      ...[question('2'), answer('filtered', { filterHash: 'a' })],
      ...[question('3'), answer('otherwise filtered', { filterHash: 'b' })],
    ];
    expect(pair(messages, 'a')).toEqual(['filtered']);
    expect(pair(messages, null)).toHaveLength(3);
  });

  it('leaves out answers whose documents are closed, or were replaced after the question', () => {
    const given = (id: string) => answer(id, { contextDocumentIds: [id] });
    const messages = ['open', 'closed', 'replaced', 'older'].flatMap((id) => [
      question(id),
      given(id),
    ]);
    const contents = [
      ...[open('open'), open('replaced', '2026-01-03T00:00:00Z')],
      open('older', '2026-01-01T00:00:00Z'),
    ];
    expect(pair(messages, null, ...contents)).toEqual(['open', 'older']);
  });
});

describe(limitDocuments, () => {
  it('keeps the last turns that are based on at most a thousand documents together', () => {
    const turn = (name: string, count: number) => ({
      ...{ question: name, answer: name },
      documentIds: Array.from({ length: count }, (_, n) => `${name}${n}`),
    });
    const turns = [turn('a', 10), turn('b', 600), turn('c', 400)];
    expect(limitDocuments(turns)).toEqual(turns.slice(1));
    expect(limitDocuments([...turns, turn('d', 1000)])).toHaveLength(1);
  });
});
