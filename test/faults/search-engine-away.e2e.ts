import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, type Document, outcome } from '../support/client.js';
import { OpenSearch, openSearchJars } from '../support/opensearch.mjs';
import { COLLECTION, type Index, indexed } from '../support/ranked-collection.js';
import { registry } from '../support/requirement.js';
import { type Mood, SearchEngineFront } from '../support/search-engine-front.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const TIMEOUT_MS = 600_000;
const PASSWORD = 'p4ss-of-the-engine';
/** Long enough for a busy machine. */
const SEARCH_TIMEOUT_MS = 5000;
const QUESTIONS = 200;
const ALIAS = '/latchkey-passages';

interface Shard {
  readonly shard: number;
  readonly state: string;
  readonly node: string;
}

const FAULTS: [what: string, mood: Mood, inTheLog: string][] = [
  ['that is silent', 'silent', 'does not answer: it was silent for too long'],
  ['whose searches hang', 'stuck', 'does not answer: it was silent for too long'],
  ['that cuts connections off', 'cut', 'does not answer: '],
  ['that refuses the password', 'password', 'answers 401 (security_exception)'],
  ['in whose place a web page answers', 'page', 'does not answer like OpenSearch'],
  ['of another kind or version', 'other', 'is not OpenSearch 2 or 3'],
];

registry('OpenSearch (by Maven, with Java)', openSearchJars() !== undefined).describe(
  'a search engine',
  () => {
    let engine: OpenSearch;
    let front: SearchEngineFront;
    /** One knows all nodes, the other only what stands before the first of them. */
    let service: Service;
    let fronted: Service;
    let shop: Index;
    let frontedShop: Index;

    beforeAll(async () => {
      engine = await OpenSearch.start(3);
      front = await SearchEngineFront.start(engine.urls[0] ?? '');
      service = await Service.start({ SEARCH_URL: engine.url });
      fronted = await Service.start({
        SEARCH_URL: `http://latchkey:${PASSWORD}@${front.host}`,
        SEARCH_TIMEOUT_MS: String(SEARCH_TIMEOUT_MS),
      });
      shop = await indexed(new Client(service, 'alice'), new Client(service), COLLECTION);
      frontedShop = await indexed(
        ...([new Client(fronted, 'alice'), new Client(fronted), COLLECTION] as const),
      );
    }, TIMEOUT_MS);

    afterAll(async () => {
      await service.stop();
      await fronted.stop();
      await front.stop();
      await engine.stop();
      for (const form of [PASSWORD, btoa(`latchkey:${PASSWORD}`)]) {
        expect(fronted.logs).not.toContain(form);
      }
    });

    const stateOf = async ({ url }: Service) => {
      const answer = await fetch(`${url}/health/ready`);
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { search?: string }).search;
    };
    const secrets = new Map<string, string>();
    const ask = async (one: Service, { id }: Index) => {
      const secret = secrets.get(id) ?? (await new Client(one, 'alice').createApiKey(id)).api_key;
      secrets.set(id, secret);
      return new Client(one).query(secret, 'How long is a refund?');
    };
    const upload = async (one: Service, { id }: Index, title: string) => {
      const alice = new Client(one, 'alice');
      const document = { title, text: `What is new is ${title}.` };
      const answer = await alice.post<Document>(`/kbs/${id}/documents`, document);
      expect(outcome(answer)).toBe('202');
      return answer.body.id;
    };
    const becomesReady = async (one: Service, id: string) => {
      expect(await new Client(one, 'alice').readDocument(id)).toMatchObject({ status: 'ready' });
    };

    /** On which shard of the words a knowledge base is, and on which node that is. */
    const shardOf = async ({ id }: Index) => {
      const found = await engine.request('GET', `${ALIAS}/_search_shards?routing=${id}`);
      const [[copy]] = found['shards'] as [[Shard]];
      const nodes = found['nodes'] as Record<string, { name: string }>;
      return { shard: copy.shard, state: copy.state, node: nodes[copy.node]?.name };
    };
    const onAnotherShard = async () => {
      for (;;) {
        const one = await indexed(
          new Client(service, 'alice'),
          new Client(service),
          COLLECTION.slice(0, 1),
        );
        if ((await shardOf(one)).shard !== (await shardOf(shop)).shard) return one;
      }
    };
    const moveShard = async (one: Index, to: string) => {
      const { shard, node: from } = await shardOf(one);
      const move = { index: `${ALIAS.slice(1)}-1`, shard, from_node: from, to_node: to };
      if (from !== to) await engine.request('POST', '/_cluster/reroute', { commands: [{ move }] });
      await eventually(async () => {
        const { node, state } = await shardOf(one);
        return node === to && state === 'STARTED';
      });
    };

    it('is up', async () => {
      await eventually(async () => (await stateOf(service)) === 'up');
      expect(outcome(await ask(fronted, frontedShop))).toBe('200');
    });

    it.each(FAULTS)(
      '%s makes questions 503, while the rest goes on and catches up',
      async (_, mood, inTheLog) => {
        front.mood = mood;
        const began = performance.now();
        const answer = await ask(fronted, frontedShop);
        expect(outcome(answer)).toBe('503 search_unavailable');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(performance.now() - began).toBeLessThan(SEARCH_TIMEOUT_MS + STALLED_MS);
        if (mood !== 'stuck') {
          // What answers is looked at again after a failure, but nobody waits for silence again.
          await eventually(async () => {
            const second = performance.now();
            expect(outcome(await ask(fronted, frontedShop))).toBe('503 search_unavailable');
            return performance.now() - second < SEARCH_TIMEOUT_MS / 2;
          });
          expect(await stateOf(fronted)).toBe('down');
        }
        const id = await upload(fronted, frontedShop, `zebra${mood}`);
        expect(outcome(await new Client(fronted, 'alice').get('/kbs'))).toBe('200');
        expect(answer.text).not.toContain(front.host);
        front.mood = 'pass';
        await becomesReady(fronted, id);
        // Questions were refused for some seconds.
        await eventually(async () => outcome(await ask(fronted, frontedShop)) === '200');
        expect(await frontedShop.titles(`zebra${mood}`)).toEqual([`zebra${mood}`]);
        expect(fronted.logs).toContain(`The search engine at ${front.host} ${inTheLog}`);
      },
      TIMEOUT_MS,
    );

    it(
      'that is full answers questions, and documents wait until it takes them',
      async () => {
        const block = (value: true | null) =>
          engine.request('PUT', '/latchkey-passages/_settings', {
            'index.blocks.read_only_allow_delete': value,
          });
        await block(true);
        const id = await upload(service, shop, 'giraffe');
        await eventually(() => service.logs.includes('refuses to write: '));
        expect(outcome(await ask(service, shop))).toBe('200');
        await eventually(async () => (await stateOf(service)) === 'degraded');
        await block(null);
        await becomesReady(service, id);
        await eventually(async () => (await stateOf(service)) === 'up');
      },
      TIMEOUT_MS,
    );

    it(
      'that loses one node of three fails no question, and goes on taking documents',
      async () => {
        const outcomes: string[] = [];
        for (let question = 0; question < QUESTIONS; question++) {
          if (question === 20) await engine.kill(2);
          outcomes.push(outcome(await ask(service, shop)));
        }
        expect(outcomes).toEqual(outcomes.map(() => '200'));
        await becomesReady(service, await upload(service, shop, 'lion'));
        expect(await shop.titles('lion')).toEqual(['lion']);
      },
      TIMEOUT_MS,
    );

    it(
      'that is away and comes back has lost nothing',
      async () => {
        const before = await shop.titles('How long is a refund?');
        await engine.kill(0);
        await engine.kill(1);
        expect(outcome(await ask(service, shop))).toBe('503 search_unavailable');
        expect(await stateOf(service)).toBe('down');
        const id = await upload(service, shop, 'tiger');
        for (const index of [0, 1, 2]) engine.startNode(index);
        await engine.untilNodes(3);
        await becomesReady(service, id);
        await eventually(async () => (await stateOf(service)) !== 'down');
        await eventually(async () => outcome(await ask(service, shop)) === '200');
        expect(await shop.titles('How long is a refund?')).toEqual(before);
        expect(await shop.titles('tiger')).toEqual(['tiger']);
      },
      TIMEOUT_MS,
    );

    it(
      'that is red refuses questions to what is lost, answers others whole, and has lost nothing',
      async () => {
        const other = await onAnotherShard();
        const before = await shop.titles('How long is a refund?');
        const { body: otherBefore } = await ask(service, other);
        await engine.request('PUT', `${ALIAS}/_settings`, {
          'index.auto_expand_replicas': false,
          'index.number_of_replicas': 0,
          'index.routing.rebalance.enable': 'none',
        });
        await moveShard(shop, 'n3');
        await moveShard(other, 'n1');
        await engine.kill(2);
        await eventually(async () => (await stateOf(service)) === 'degraded');

        const refused = await ask(service, shop);
        expect(outcome(refused)).toBe('503 search_unavailable');
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        const whole = await ask(service, other);
        expect(outcome(whole)).toBe('200');
        expect(whole.body.partial ?? false).toBe(false);
        expect(whole.body.results).toEqual(otherBefore.results);
        const waiting = await upload(service, shop, 'panther');
        await becomesReady(service, await upload(service, other, 'lynx'));
        expect(await other.titles('lynx')).toEqual(['lynx']);
        expect(outcome(await ask(service, shop))).toBe('503 search_unavailable');

        engine.startNode(2);
        await engine.untilNodes(3);
        await becomesReady(service, waiting);
        expect(await shop.titles('panther')).toEqual(['panther']);
        expect(await shop.titles('How long is a refund?')).toEqual(before);
      },
      TIMEOUT_MS,
    );
  },
);
