import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatAnswer, Client, outcome } from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { Service } from '../../../test/support/service.js';
import { type Challenge, solveChallenge } from '../../../test/support/solve-challenge.js';

const ORIGIN = 'https://shop.example.com';
const QUESTION = 'How long may customers return an order?';

/** Visitors who come from many addresses, which a proxy tells. */
describe('a site that is flooded', () => {
  let behindProxy: Service;
  let alice: Client;
  let visitor: Client;
  let kbId: string;

  beforeAll(async () => {
    const furnished = await furnish();
    ({ alice, kbId } = furnished);
    const { environment } = furnished.service;
    behindProxy = await Service.start({ ...environment, TRUSTED_PROXY_CIDRS: '127.0.0.1' });
    visitor = new Client(behindProxy);
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Customers may return an order within 30 days.',
    });
  });

  afterAll(() => behindProxy.stop());

  const create = async (more: object = {}) => {
    const body = { name: 'Help centre', origins: [ORIGIN], proof_of_work: 8, ...more };
    return (await alice.post<{ id: string }>(`/kbs/${kbId}/sites`, body)).body.id;
  };
  const getChallenge = async (id: string, address: string) => {
    const path = `/sites/${id}/challenge`;
    const from = { 'x-forwarded-for': address };
    return (await visitor.call<Challenge>('GET', path, undefined, from)).body;
  };
  const begin = async (id: string, address: string) => {
    const altcha = solveChallenge(await getChallenge(id, address));
    const headers = { 'x-forwarded-for': address, origin: ORIGIN };
    const path = `/sites/${id}/visitors`;
    return (await visitor.post<{ client_token: string }>(path, { altcha }, headers)).body
      .client_token;
  };
  const ask = (token: string, address: string) =>
    visitor.post<ChatAnswer>(
      '/chat',
      { message: QUESTION },
      { authorization: `Bearer ${token}`, origin: ORIGIN, 'x-forwarded-for': address },
    );

  it('answers 2,000 visitors of 1,000 addresses exactly the questions of its day', async () => {
    const site = await create({ daily_messages: 20, proof_of_work: 1 });
    const outcomes: string[] = [];
    let visitors = 0;
    const visitUntilEnd = async () => {
      for (let next = visitors++; next < 2000; next = visitors++) {
        const address = `198.18.${next % 4}.${(next >> 2) % 250}`;
        outcomes.push(outcome(await ask(await begin(site, address), address)));
      }
    };
    await Promise.all(Array.from({ length: 20 }, visitUntilEnd));
    expect(outcomes).toHaveLength(2000);
    expect(outcomes.filter((one) => one === '200')).toHaveLength(20);
    expect(new Set(outcomes)).toEqual(new Set(['200', '429 budget_reached']));
  }, 180_000);

  it('answers one address a part of them, however many visitors it is', async () => {
    const site = await create({ per_address_per_day: 3 });
    const [address, other] = ['198.18.9.1', '198.18.9.2'];
    const answers = [];
    for (let visit = 0; visit < 4; visit++) {
      answers.push(await ask(await begin(site, address), address));
    }
    expect(answers.map(outcome)).toEqual(['200', '200', '200', '429 rate_limited']);
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect(outcome(await ask(await begin(site, other), other))).toBe('200');
  });

  it('answers one address all of them where it is told to', async () => {
    const site = await create({ per_address_per_day: null });
    expect((await alice.get(`/sites/${site}`)).body).toMatchObject({ per_address_per_day: null });
    const address = '198.18.9.4';
    expect(outcome(await ask(await begin(site, address), address))).toBe('200');
  });

  it('asks an address for twice the work with twice the visits', async () => {
    const site = await create();
    const work: number[] = [];
    for (let asked = 1; asked <= 40; asked++) {
      work.push((await getChallenge(site, '198.18.9.3')).maxnumber);
    }
    const some = [1, 19, 20, 39, 40].map((asked) => work[asked - 1]);
    expect(some).toEqual([256, 256, 512, 512, 1024]);
  });
});
