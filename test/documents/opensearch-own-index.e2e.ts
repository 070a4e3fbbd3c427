import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { OpenSearch, openSearchJars } from '../support/opensearch.mjs';
import { COLLECTION, type Index, indexed } from '../support/ranked-collection.js';
import { registry } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const QUESTIONS = [
  'How long will a refund take?',
  'Is a damagd batery under warranty?',
  'a vehicle for the doctor',
];
const WORDS = 'latchkey-passages';
const VECTORS = 'latchkey-vectors';
const TIMEOUT_MS = 600_000;
const MOVED_MS = 120_000;
const LARGE = COLLECTION.length;

registry('OpenSearch (by Maven, with Java)', openSearchJars() !== undefined).describe(
  'a large knowledge base in OpenSearch',
  () => {
    let engine: OpenSearch;
    let endpoint: EmbeddingsServer;
    /** Two processes on PostgreSQL. */
    let services: Service[] = [];
    let environment: NodeJS.ProcessEnv;
    let shop: Index;
    let other: Index;
    const secrets = new Map<string, string>();

    /** Services in which knowledge bases with so many passages have an index of their own. */
    const start = async (passages?: number) => {
      await stop();
      const first = await Service.start({
        ...environment,
        NODE_OPTIONS: '--import=./test/support/own-indexes.mjs',
        ...(passages !== undefined && { OWN_INDEX_PASSAGES: String(passages) }),
      });
      environment = first.environment;
      services = [first, await first.beside()];
    };
    const stop = async () => {
      for (const service of new Set(services)) await service.stop();
      services = [];
    };
    const serviceAt = (at: number) => {
      const service = services.at(at);
      if (!service) throw new Error('None is running');
      return service;
    };
    const alice = (at = 0) => new Client(serviceAt(at), 'alice');
    const partner = (at = 0) => new Client(serviceAt(at));
    const ask = async (kbId: string, question: string, at = 0) => {
      const answer = await partner(at).query(secrets.get(kbId) ?? '', question, { top_k: 50 });
      expect(outcome(answer)).toBe('200');
      return answer.body.results.map(({ document_title, score }) => ({ document_title, score }));
    };
    const answers = async (at = 0) => {
      const all = [];
      for (const { id } of [shop, other]) {
        for (const question of QUESTIONS) all.push(await ask(id, question, at));
      }
      return all;
    };
    const count = async (alias: string, kbId = shop.id) => {
      const found = await engine
        .request('POST', `/${alias}/_refresh`)
        .then(() => engine.request('POST', `/${alias}/_count`, { query: { term: { kb: kbId } } }))
        .catch(() => undefined);
      return found && Number(found['count']);
    };
    /** Of words and vectors: in the index of its own, and in the one that knowledge bases share. */
    const places = async () => [
      [await count(`${WORDS}-${shop.id}`), await count(WORDS)],
      [await count(`${VECTORS}-${shop.id}`), await count(VECTORS)],
    ];
    const own = (passages: number) => [
      [passages, 0],
      [passages, 0],
    ];
    const shared = (passages: number) => [
      [undefined, passages],
      [undefined, passages],
    ];
    const areIn = (expected: (number | undefined)[][]) =>
      eventually(async () => JSON.stringify(await places()) === JSON.stringify(expected), MOVED_MS);
    /** Asks all services until `work` is done, each time for the same answers. */
    const askingMeanwhile = async (before: unknown, work: () => Promise<void>) => {
      const done = new AbortController();
      const asked = [0, -1].map(async (at) => {
        do expect(await answers(at)).toEqual(before);
        while (!done.signal.aborted);
      });
      await Promise.all([
        work().finally(() => {
          done.abort();
        }),
        ...asked,
      ]);
    };
    const untilEmbedded = (id: string, vectors: number) =>
      eventually(async () => {
        const { body } = await alice().get<{ vectors: number }>(`/kbs/${id}`);
        return body.vectors === vectors;
      }, MOVED_MS);
    const move = (to: string) =>
      runCommand('operations/move-search.command.js', environment, '', '--to', to);

    beforeAll(async () => {
      engine = await OpenSearch.start();
      endpoint = await EmbeddingsServer.start();
      environment = {
        SEARCH_URL: engine.url,
        SEARCH_TIMEOUT_MS: '8000',
        EMBEDDINGS_BASE_URL: endpoint.url,
        EMBEDDINGS_MODEL: 'synonyms',
      };
      await start();
      shop = await indexed(alice(), partner(), COLLECTION);
      other = await indexed(alice(), partner(), COLLECTION.slice(0, 4));
      for (const { id, documents } of [shop, other]) {
        secrets.set(id, (await alice().createApiKey(id)).api_key);
        await untilEmbedded(id, documents.length);
      }
    }, TIMEOUT_MS);

    afterAll(async () => {
      await stop();
      await endpoint.stop();
      await engine.stop();
    });

    it(
      'gets an index of its own, also after a kill -9 in the middle, while it is asked and written to',
      async () => {
        const before = await answers();
        expect(before.flat().length).toBeGreaterThan(0);
        expect(await places()).toEqual(shared(LARGE));
        await stop();
        // The words are copied, the vectors are not.
        const dying = await Service.start({
          ...environment,
          NODE_OPTIONS:
            '--import=./test/support/own-indexes.mjs --import=./test/support/die-at-statement.mjs',
          OWN_INDEX_PASSAGES: String(LARGE),
          DIE_AT_STATEMENT: '^SELECT model FROM vector_counts WHERE .* AND in_engine',
          DIE_AT_OCCURRENCE: '1',
        });
        await eventually(
          () =>
            fetch(`${dying.url}/health/live`).then(
              () => false,
              () => true,
            ),
          MOVED_MS,
        );
        await dying.kill();
        await sql(environment, 'DELETE FROM job_leases');

        await start();
        expect(await places()).toEqual([
          [LARGE, LARGE],
          [0, LARGE],
        ]);
        await askingMeanwhile(before, () => Promise.resolve());
        const zebra = await alice(-1).addDocument(shop.id, { title: 'Zebra', text: 'A zebra.' });
        expect((await ask(shop.id, 'zebra'))[0]?.document_title).toBe('Zebra');
        await untilEmbedded(shop.id, LARGE + 1);
        expect(await places()).toEqual([
          [LARGE + 1, LARGE + 1],
          [1, LARGE + 1],
        ]);
        await alice().call('DELETE', `/documents/${zebra.id}`);
        expect((await ask(shop.id, 'zebra')).map((one) => one.document_title)).not.toContain(
          'Zebra',
        );
        await areIn([
          [LARGE, LARGE],
          [0, LARGE],
        ]);

        await start(LARGE);
        await askingMeanwhile(before, () => areIn(own(LARGE)));
        expect(await answers()).toEqual(before);
        expect(await count(`${WORDS}-${other.id}`, other.id)).toBeUndefined();
      },
      TIMEOUT_MS,
    );

    it(
      'goes back when it is small, and has what was written meanwhile by any service',
      async () => {
        const before = await answers();
        // Not by a few passages less.
        await start(LARGE * 2);
        await alice().addDocument(shop.id, { title: 'Okapi', text: 'An okapi.' });
        await untilEmbedded(shop.id, LARGE + 1);
        expect(await places()).toEqual(own(LARGE + 1));
        await start(LARGE * 10);
        let written = 0;
        const isBack = new AbortController();
        const writing = async (at: number) => {
          do {
            const title = `Parrot${++written}`;
            const { id } = await alice(at).addDocument(shop.id, { title, text: `A ${title}.` });
            const found = await ask(shop.id, title, -1 - at);
            expect(found.map((one) => one.document_title)).toContain(title);
            await alice(at).call('DELETE', `/documents/${id}`);
          } while (!isBack.signal.aborted);
        };
        const isGone = eventually(
          async () => (await count(`${WORDS}-${shop.id}`)) === undefined,
          MOVED_MS,
        ).finally(() => {
          isBack.abort();
        });
        await Promise.all([isGone, writing(0), writing(-1)]);
        await areIn(shared(LARGE + 1));
        expect((await ask(shop.id, 'okapi'))[0]?.document_title).toBe('Okapi');
        const { body } = await alice().get<{ data: { id: string; title: string }[] }>(
          `/kbs/${shop.id}/documents?q=Okapi`,
        );
        await alice().call('DELETE', `/documents/${body.data[0]?.id ?? ''}`);
        await areIn(shared(LARGE));
        expect(await answers()).toEqual(before);
      },
      TIMEOUT_MS,
    );

    it(
      'leaves no index when it is moved to the database, comes back, or is deleted',
      async () => {
        const before = await answers();
        await start(LARGE);
        await askingMeanwhile(before, () => areIn(own(LARGE)));
        await askingMeanwhile(before, async () => {
          expect(await move('database')).toMatchObject({ code: 0 });
        });
        await eventually(async () => (await count(`${VECTORS}-${shop.id}`)) === undefined);
        expect(await count(`${WORDS}-${shop.id}`)).toBeUndefined();
        await askingMeanwhile(before, async () => {
          expect(await move('opensearch')).toMatchObject({ code: 0 });
          await areIn(own(LARGE));
        });
        // Lost, and made anew where it was.
        for (const alias of [WORDS, VECTORS]) {
          await engine.request('DELETE', `/${alias}-${shop.id}-1`);
        }
        const lost = await partner().query(secrets.get(shop.id) ?? '', 'refund');
        expect(outcome(lost)).toBe('503 search_unavailable');
        expect(await move('opensearch')).toMatchObject({ code: 0 });
        await areIn(own(LARGE));
        expect(await answers()).toEqual(before);

        const small = [];
        for (const question of QUESTIONS) small.push(await ask(other.id, question));
        await alice().call('DELETE', `/kbs/${shop.id}`);
        await areIn(shared(0));
        for (const question of QUESTIONS) {
          expect(await ask(other.id, question)).toEqual(small.shift());
        }
      },
      TIMEOUT_MS,
    );
  },
);
