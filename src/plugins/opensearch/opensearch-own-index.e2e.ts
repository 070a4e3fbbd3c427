import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { askedUntilWhole, Client, outcome } from '../../../test/support/client.js';
import { runCommand } from '../../../test/support/command.js';
import { EmbeddingsServer } from '../../../test/support/embeddings-server.js';
import { OpenSearch, openSearchJars } from '../../../test/support/opensearch.mjs';
import { COLLECTION, type Index, indexed } from '../../../test/support/ranked-collection.js';
import { registry } from '../../../test/support/requirement.js';
import { SearchEngineFront } from '../../../test/support/search-engine-front.js';
import { eventually, Service } from '../../../test/support/service.js';
import { sql } from '../../../test/support/sql.js';
import { engine as database } from '../../../test/support/test-database.js';

const QUESTIONS = [
  'How long will a refund take?',
  'Is a damagd batery under warranty?',
  'a vehicle for the doctor',
];
const MOVE = 'plugins/opensearch/move-search.command.js';
const WORDS = 'latchkey-passages';
const VECTORS = 'latchkey-vectors';
const TIMEOUT_MS = 600_000;
const MOVED_MS = 180_000;
const LARGE = COLLECTION.length;

/** Keeps the index of a knowledge base locked for a moment more, when its words leave the database. */
const SLOW = {
  sqlite: { begin: [], end: [] },
  postgres: {
    begin: [
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN
         IF (SELECT count(*) > 1 FROM gone) THEN PERFORM pg_sleep(1); END IF; RETURN NULL;
       END $$`,
      `CREATE TRIGGER slow AFTER DELETE ON search_blocks REFERENCING OLD TABLE AS gone
       FOR EACH STATEMENT EXECUTE FUNCTION slow()`,
    ],
    end: ['DROP TRIGGER slow ON search_blocks', 'DROP FUNCTION slow()'],
  },
}[database];

registry('OpenSearch (by Maven, with Java)', openSearchJars() !== undefined).describe(
  'a large knowledge base in OpenSearch',
  () => {
    let engine: OpenSearch;
    let front: SearchEngineFront;
    let endpoint: EmbeddingsServer;
    /** Two processes on PostgreSQL. */
    let services: Service[] = [];
    let environment: NodeJS.ProcessEnv;
    let shop: Index;
    let other: Index;
    const secrets = new Map<string, string>();

    /** Services in which knowledge bases with so many passages get an index of their own; else none moves. */
    const start = async (passages?: number) => {
      await stop();
      const first = await Service.start({ ...environment, ...moving(passages) });
      environment = first.environment;
      services = [first, await first.beside()];
    };
    const moving = (passages?: number, ...more: string[]) => ({
      SEARCH_OWN_INDEX_PASSAGES: String(passages ?? 1_000_000),
      NODE_OPTIONS: [...(passages === undefined ? [] : ['own-indexes']), ...more]
        .map((name) => `--import=./test/support/${name}.mjs`)
        .join(' '),
    });
    const stop = async () => {
      for (const service of new Set(services)) await service.stop();
      services = [];
    };
    /** Keeps those requests of services that have a text in what they send from the cluster. */
    const hold = (text: string) => {
      const gate = Promise.withResolvers<undefined>();
      front.waiting = 0;
      front.gate = gate.promise;
      front.held = (body) => body.includes(text);
      return () => {
        front.held = () => false;
        gate.resolve(undefined);
      };
    };
    const serviceAt = (at: number) => {
      const service = services.at(at);
      if (!service) throw new Error('None is running');
      return service;
    };
    const alice = (at = 0) => new Client(serviceAt(at), 'alice');
    const partner = (at = 0) => new Client(serviceAt(at));
    /** Again where it waited for its turn, or for the cluster, for too long, as on a busy machine. */
    const askOnce = (kbId: string, question: string, at = 0) =>
      askedUntilWhole(() => partner(at).query(secrets.get(kbId) ?? '', question, { top_k: 50 }));
    const ask = async (kbId: string, question: string, at = 0) => {
      const answer = await askOnce(kbId, question, at);
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
    /** Undefined where there is no such index; what else it says where it cannot count now. */
    const count = async (alias: string, kbId = shop.id) => {
      try {
        await engine.request('POST', `/${alias}/_refresh`);
        const query = { term: { kb: kbId } };
        return Number((await engine.request('POST', `/${alias}/_count`, { query }))['count']);
      } catch (error) {
        return String(error).includes(': 404 ') ? undefined : String(error);
      }
    };
    /** How many words and vectors are in the index of its own, and in the one that knowledge bases share. */
    const places = async (kbId = shop.id) => [
      [await count(`${WORDS}-${kbId}`, kbId), await count(WORDS, kbId)],
      [await count(`${VECTORS}-${kbId}`, kbId), await count(VECTORS, kbId)],
    ];
    const own = (passages: number) => [
      [passages, 0],
      [passages, 0],
    ];
    const shared = (passages: number) => [
      [undefined, passages],
      [undefined, passages],
    ];
    const areIn = (expected: (number | undefined)[][], kbId = shop.id) =>
      eventually(
        async () => JSON.stringify(await places(kbId)) === JSON.stringify(expected),
        MOVED_MS,
      ).catch(async () => {
        throw new Error(`${JSON.stringify(await places(kbId))} is not ${JSON.stringify(expected)}`);
      });
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
    /** Not by way of the front. */
    const move = async (to: string) => {
      const direct = { ...environment, SEARCH_URL: engine.url };
      const { code, output } = await runCommand(MOVE, direct, '', '--to', to);
      // What it said stands in the failure.
      expect(code === 0 ? code : output).toBe(0);
    };

    /** @param code finds the built code of the folder by `load`, and an OpenSearchIndex of the front in `engine` */
    const run = async (code: string) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        `const load = (name) => import('./dist/src/plugins/opensearch/' + name + '.js');
         const { createSearchEngine } = await load('create-search-engine');
         const engine = createSearchEngine(['http://${front.host}']);
         ${code}
         await engine.close();`,
      ]);
      return stdout.trim();
    };

    beforeAll(async () => {
      engine = await OpenSearch.start();
      front = await SearchEngineFront.start(engine.url);
      endpoint = await EmbeddingsServer.start();
      environment = {
        SEARCH_URL: `http://${front.host}`,
        SEARCH_TIMEOUT_MS: '20000',
        EMBEDDINGS_BASE_URL: endpoint.url,
        EMBEDDINGS_MODEL: 'synonyms',
        // A question whose vector came too late would be answered by words alone.
        EMBEDDINGS_TIMEOUT_MS: '60000',
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
      await front.stop();
      await endpoint.stop();
      await engine.stop();
    });

    it(
      'gets an index of its own, also after a kill -9 in the middle, while it is asked and written to',
      async () => {
        const before = await answers();
        expect(before.flat().length).toBeGreaterThan(0);
        expect(await places()).toEqual(shared(LARGE));
        // Nothing is looked for in the cluster of which it has nothing.
        const { id: empty } = await alice().createKnowledgeBase();
        secrets.set(empty, (await alice().createApiKey(empty)).api_key);
        front.mood = 'cut';
        expect(await ask(empty, 'refund')).toEqual([]);
        front.mood = 'pass';
        await stop();
        // The words are copied, the vectors are not.
        const letDie = hold(`"_index":"${WORDS}-${shop.id}"`);
        const dying = await Service.start({
          ...environment,
          ...moving(LARGE, 'die-at-statement'),
          DIE_AT_STATEMENT: '^SELECT model FROM vector_counts WHERE .* AND in_engine',
          DIE_AT_OCCURRENCE: '1',
        });
        services = [dying];
        letDie();
        await eventually(
          () =>
            fetch(`${dying.url}/health/live`).then(
              () => false,
              () => true,
            ),
          MOVED_MS,
        );
        await dying.kill();
        services = [];
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
        if (database === 'postgres') return;
        // The index of the knowledge base is made anew.
        await stop();
        rmSync(join(String(environment['DATA_DIR']), 'search', `${shop.id}.sqlite`));
        await start(LARGE * 2);
        await eventually(async () => JSON.stringify(await answers()) === JSON.stringify(before));
        expect(await places()).toEqual(own(LARGE));
      },
      TIMEOUT_MS,
    );

    it(
      'goes back when none shall have one, and has what was written meanwhile by any service',
      async () => {
        const before = await answers();
        // Not by a few passages less.
        await start(LARGE * 2);
        await alice().addDocument(shop.id, { title: 'Okapi', text: 'An okapi.' });
        await untilEmbedded(shop.id, LARGE + 1);
        expect(await places()).toEqual(own(LARGE + 1));
        // The cluster is away in the middle.
        const letPass = hold(`"_index":"${WORDS}"`);
        await start(0);
        await eventually(() => front.waiting > 0);
        front.mood = 'cut';
        letPass();
        await eventually(() => services.some(({ logs }) => logs.includes('does not answer: ')));
        front.mood = 'pass';
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
        const doomed = await indexed(alice(), partner(), COLLECTION);
        const finishCopy = hold(`"_index":"${WORDS}-${doomed.id}"`);
        await start(LARGE);
        await eventually(() => front.waiting > 0, MOVED_MS);
        await alice().call('DELETE', `/kbs/${doomed.id}`);
        finishCopy();
        await areIn(shared(0), doomed.id);
        await areIn(own(LARGE));
        await askingMeanwhile(before, () => move('database'));
        await areIn(shared(0));
        // A service looks where the words are just before the command has them in the cluster.
        for (const statement of SLOW.begin) await sql(environment, statement);
        const letPass = hold(`"aliases":{"${VECTORS}-${shop.id}"`);
        await askingMeanwhile(before, () => move('opensearch'));
        letPass();
        for (const statement of SLOW.end) await sql(environment, statement);
        await askingMeanwhile(before, () => areIn(own(LARGE)));
        // Without its vectors, it alone waits for those of new passages: before the others, since they had theirs.
        await engine.request('DELETE', `/${VECTORS}-${shop.id}-1`);
        const added = [];
        for (const [index, { id }] of [other, shop, other].entries()) {
          added.push(await alice().addDocument(id, { title: 'Yak', text: `Yak ${index}.` }));
          if (id === other.id) await untilEmbedded(id, other.documents.length + (index || 1));
        }
        for (const { id } of added) await alice().call('DELETE', `/documents/${id}`);
        await areIn(shared(other.documents.length), other.id);
        // Lost, it is not made anew without what it had.
        await engine.request('DELETE', `/${WORDS}-${shop.id}-1`);
        front.waiting = 0;
        front.held = (_, path) => path.includes('/_count');
        await eventually(() => front.waiting > 1);
        front.held = () => false;
        expect(outcome(await askOnce(shop.id, 'refund'))).toBe('503 search_unavailable');
        expect(await places()).toEqual(shared(0));
        await move('opensearch');
        await areIn(own(LARGE));
        expect(await answers()).toEqual(before);

        const small = [];
        for (const question of QUESTIONS) small.push(await ask(other.id, question));
        await alice().call('DELETE', `/kbs/${shop.id}`);
        await areIn(shared(0));
        for (const question of QUESTIONS) {
          expect(await ask(other.id, question)).toEqual(small.shift());
        }
        // Who never had an index of its own is asked for none, also when it is deleted.
        await alice().call('DELETE', `/kbs/${other.id}`);
        await eventually(async () => {
          const row = `SELECT 1 FROM knowledge_bases WHERE id = '${other.id}'`;
          return (await sql(environment, row)).length === 0;
        }, MOVED_MS);
        await areIn(shared(0), other.id);
        expect([...front.paths].filter((path) => path.includes(`-${other.id}`))).toEqual([]);
        await stop();
      },
      TIMEOUT_MS,
    );

    it('does not begin to move at the start, when processes of the version before may be running', async () => {
      const rounds = await run(`
        const { OwnIndexes } = await load('own-indexes');
        let rounds = 0;
        const dataSource = { driver: { createParameter: () => '' }, query: async () => (rounds++, []) };
        const ownIndexes = new OwnIndexes(dataSource, engine, {}, {}, {});
        await ownIndexes.moveLarge({ mayContinue: async () => true });
        process.stdout.write(rounds + ' ');
        await ownIndexes.moveLarge({ mayContinue: async () => true });
        console.log(rounds);`);
      expect(rounds).toBe('0 1');
    });

    it('asks what answers what it is, after an index was not there', async () => {
      const ask = `
        const { SearchDeadline } = await import('@latchkey/ranking/search-deadline');
        const inEngine = engine.createReader('kb_1', new SearchDeadline(60_000, () => false));
        const terms = [{ stem: 'refund', weight: 1, times: 1 }];
        for (const place of ['own', 'own']) {
          await inEngine(place).best(terms, 10).catch(({ name }) => console.log(name));
        }`;
      // Again where it waited for the cluster for too long, as on a busy machine.
      await eventually(async () => {
        const { greetings } = front;
        const failures = await run(ask);
        const wasQuick = failures === 'PostingsMissingError\nPostingsMissingError';
        if (wasQuick) expect(front.greetings).toBe(greetings + 2);
        return wasQuick;
      });
    });
  },
);
