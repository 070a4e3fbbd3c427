import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

interface Question {
  question: string;
  count: number;
  last_asked_at: string;
}

interface TopDocument {
  document_id: string;
  title: string;
  count: number;
}

let service: SharedService;
let alice: Client;
let partner: Client;
let kbId: string;
let live: string;
let test: string;

beforeAll(async () => {
  service = await sharedService();
  alice = new Client(service, newUserId('alice'));
  partner = new Client(service);
});
beforeEach(async () => {
  kbId = (await alice.createKnowledgeBase()).id;
  live = (await alice.createApiKey(kbId)).api_key;
  test = (await alice.createApiKey(kbId, { environment: 'test' })).api_key;
});

const ask = async (message: string, secret = live) => {
  const { status, body, text } = await partner.chat(secret, message);
  if (status !== 200) throw new Error(text);
  return body;
};

describe('questions without an answer', () => {
  const unanswered = async (search = '') => {
    const path = `/kbs/${kbId}/analytics/unanswered?${search}`;
    const { status, body, text } = await alice.get<Page<Question>>(path);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const counts = async (search = '') =>
    (await unanswered(search)).data.map(({ question, count }) => [question, count]);

  it('are grouped by the words that mean something, most asked first, as asked last', async () => {
    await alice.addDocument(kbId, { title: 'Returns', text: 'Any order within 30 days.' });
    const norway = ['Do you ship to Norway?', 'SHIP, NORWAY!!', 'to Norway, you do ship'];
    for (const message of [...norway, 'Gift cards?', 'the gift cards', 'Überraschung']) {
      await ask(message);
    }
    await ask('How many days for an order?');
    await partner.query(live, 'What is asked of /query leaves no answer open');
    expect(await counts()).toEqual([
      ['to Norway, you do ship', 3],
      ['the gift cards', 2],
      ['Überraschung', 1],
    ]);
    const { data, total } = await unanswered();
    expect(total).toBe(3);
    const { body: messages } = await alice.get<Page<{ id: string }>>(`/kbs/${kbId}/conversations`);
    expect(messages.total).toBe(7);
    for (const { last_asked_at: time } of data) {
      expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
    }
  });

  it.each([
    ['signs alone', ['???', '???', '!!!'], [2, 1]],
    ['stop words alone', ['to be', 'To be!', 'which of them'], [2, 1]],
    ['other scripts', ['退货政策？', '退货政策', 'كم يوما'], [2, 1]],
    ['words said twice', ['ship ship', 'ship'], [2]],
  ])('are told apart if they are %s', async (_, questions, expected) => {
    for (const question of questions) await ask(question);
    expect((await unanswered()).data.map(({ count }) => count)).toEqual(expected);
  });

  it('are of a time and an environment', async () => {
    await ask('penguins');
    await ask('penguins', test);
    await ask('albatrosses', test);
    expect(await counts('environment=live')).toEqual([['penguins', 1]]);
    expect(await counts('environment=test')).toHaveLength(2);
    expect((await unanswered()).data[0]).toMatchObject({ question: 'penguins', count: 2 });
    expect(await counts('from=2026-01-01&to=2026-01-02')).toEqual([]);
    const before = (await unanswered()).data[0]?.last_asked_at;
    expect(await counts(`from=2026-01-01&to=${String(before)}`)).toEqual([['penguins', 1]]);
  });

  it('are read through pages, whatever is asked between them', async () => {
    for (let n = 0; n < 5; n++) {
      for (let times = 0; times <= n; times++) await ask(`question number${n}`);
    }
    const first = await unanswered('limit=2');
    expect(first).toMatchObject({ total: 5, has_more: true });
    // Was on the last page, and is now asked most.
    for (let n = 0; n < 6; n++) await ask('question number0');
    await ask('something new');
    const seen = [...first.data];
    for (let cursor = first.next_cursor; cursor !== null;) {
      const next = await unanswered(`limit=2&cursor=${cursor}`);
      seen.push(...next.data);
      cursor = next.next_cursor;
    }
    expect(seen.map(({ question, count }) => [question, count])).toEqual(
      [4, 3, 2, 1, 0].map((n) => [`question number${n}`, n + 1]),
    );
  });
});

describe('top documents', () => {
  const top = async (search = '') =>
    (await alice.get<Page<TopDocument>>(`/kbs/${kbId}/analytics/top-documents?${search}`)).body;

  it('are those that answers cite, each counted once for an answer', async () => {
    const paragraphs = Array.from({ length: 60 }, (_, n) => `Penguins live in colony ${n}.`);
    const { id: penguins } = await alice.addDocument(kbId, {
      title: 'Penguins',
      // Found with more than one passage.
      text: paragraphs.map((text) => `${text} ${'They swim well. '.repeat(20)}`).join('\n\n'),
    });
    const { id: gulls } = await alice.addDocument(kbId, {
      title: 'Gulls',
      text: 'Gulls scream since they are hungry.',
    });
    await alice.addDocument(kbId, {
      title: 'Harbour',
      text: 'The harbour has three piers and a crane. Boats leave at noon, and some see gulls.',
    });
    const { id: gone } = await alice.addDocument(kbId, { title: 'Dodos', text: 'Dodos are gone.' });
    expect((await ask('penguins', live)).sources.length).toBeGreaterThan(1);
    await ask('penguins', test);
    const { sources } = await ask('Why do gulls scream?');
    expect(sources.map(({ document_title: title, cited }) => [title, cited])).toEqual([
      ['Gulls', true],
      ['Harbour', false],
    ]);
    for (let n = 0; n < 3; n++) await ask('dodos');
    await ask('albatrosses');
    await partner.query(live, 'gulls');

    const row = (id: string, title: string, count: number) => ({ document_id: id, title, count });
    const dodos = row(gone, 'Dodos', 3);
    const both = [row(penguins, 'Penguins', 2), row(gulls, 'Gulls', 1)];
    expect((await top()).data).toEqual([dodos, ...both]);
    const first = await top('limit=1');
    expect(first).toMatchObject({ data: [dodos], total: 3, has_more: true });
    const rest = await top(`limit=2&cursor=${String(first.next_cursor)}`);
    expect(rest).toMatchObject({ data: both, total: 3, has_more: false, next_cursor: null });
    expect((await top('environment=test')).data).toEqual([row(penguins, 'Penguins', 1)]);
    expect((await top('from=2026-01-01&to=2026-01-02')).data).toEqual([]);

    await alice.call('DELETE', `/documents/${gone}`);
    expect(await top()).toMatchObject({ data: both, total: 2 });
  });
});

it.each(['unanswered', 'top-documents'])('%s refuse invalid parameters', async (list) => {
  for (const search of [
    ...['timezone=Mars', 'from=2026-11-02&to=2026-11-01', 'environment=x', 'limit=0', 'limit=101'],
    ...['cursor=abc', 'interval=day', `cursor=${Buffer.from('9e9.x').toString('base64url')}`],
    `cursor=${Buffer.from('99999999999999999999.1.msg_01kafdp6ygf4rs4s2cr5cvzwkc').toString('base64url')}`,
  ]) {
    const answer = await alice.get(`/kbs/${kbId}/analytics/${list}?${search}`);
    expect([search, outcome(answer)]).toEqual([search, '400 validation_failed']);
  }
});
