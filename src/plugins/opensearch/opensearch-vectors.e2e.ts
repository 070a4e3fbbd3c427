import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { askedUntilWhole, Client, type Document, outcome } from '../../../test/support/client.js';
import { runCommand } from '../../../test/support/command.js';
import { EmbeddingsServer } from '../../../test/support/embeddings-server.js';
import { OpenSearch, openSearchJars } from '../../../test/support/opensearch.mjs';
import { registry } from '../../../test/support/requirement.js';
import { SearchEngineFront } from '../../../test/support/search-engine-front.js';
import { eventually, Service } from '../../../test/support/service.js';
import { sql } from '../../../test/support/sql.js';
import { STALLED_MS } from '../../../test/support/stalled.js';
import { engine as database } from '../../../test/support/test-database.js';

const DOCUMENTS = [
  { title: 'Garage', text: 'An automobile may stand here overnight.', metadata: { floor: 1 } },
  { title: 'Till', text: 'A reimbursement takes five days.', metadata: { floor: 2 } },
  { title: 'Surgery', text: 'The physician is in on Mondays.', metadata: { floor: 2 } },
  { title: 'Kitchen', text: 'Soup is served at noon.', metadata: { floor: 3 } },
];
const QUESTIONS = ['car', 'money for the doctor', 'soup', 'drive a vehicle to the till'];
const ALIAS = '/latchkey-vectors';
/** More than are compared for one question. */
const OTHERS = 450;
/** Long enough for a busy machine. */
const SEARCH_TIMEOUT_MS = 5000;
const TIMEOUT_MS = 600_000;

/** Nothing but `undo` lets passages be removed. */
const KEPT = {
  sqlite: {
    keep: [`CREATE TRIGGER kept BEFORE DELETE ON passages BEGIN SELECT RAISE(ABORT, 'kept'); END`],
    undo: ['DROP TRIGGER kept'],
  },
  postgres: {
    keep: [
      `CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN RAISE EXCEPTION 'kept'; END $$`,
      'CREATE TRIGGER kept BEFORE DELETE ON passages FOR EACH ROW EXECUTE FUNCTION kept()',
    ],
    undo: ['DROP TRIGGER kept ON passages', 'DROP FUNCTION kept()'],
  },
}[database];

registry('OpenSearch (by Maven, with Java)', openSearchJars() !== undefined).describe(
  'vectors in OpenSearch',
  () => {
    let engine: OpenSearch;
    let front: SearchEngineFront;
    let endpoint: EmbeddingsServer;
    let service: Service;
    let alice: Client;
    let partner: Client;
    let kbId: string;
    let secret: string;

    beforeAll(async () => {
      engine = await OpenSearch.start();
      front = await SearchEngineFront.start(engine.url);
      endpoint = await EmbeddingsServer.start();
      service = await Service.start({
        SEARCH_URL: `http://${front.host}`,
        SEARCH_TIMEOUT_MS: String(SEARCH_TIMEOUT_MS),
        EMBEDDINGS_BASE_URL: endpoint.url,
        EMBEDDINGS_MODEL: 'synonyms',
        // A question whose vector came too late would be answered by words alone.
        EMBEDDINGS_TIMEOUT_MS: '60000',
      });
      alice = new Client(service, 'alice');
      partner = new Client(service);
      kbId = (await alice.createKnowledgeBase()).id;
      secret = (await alice.createApiKey(kbId)).api_key;
      for (const document of DOCUMENTS) await alice.addDocument(kbId, document);
      await untilEmbedded(kbId, DOCUMENTS.length);
    }, TIMEOUT_MS);

    afterAll(async () => {
      await service.stop();
      await front.stop();
      await endpoint.stop();
      await engine.stop();
    });

    const untilEmbedded = (id: string, count: number) =>
      eventually(async () => {
        const { body } = await alice.get<{ vectors: number }>(`/kbs/${id}`);
        return body.vectors === count;
      });
    const count = async (query: object) => {
      await engine.request('POST', `${ALIAS}/_refresh`);
      return Number((await engine.request('POST', `${ALIAS}/_count`, { query }))['count']);
    };
    const windowsOf = (id: string, model?: string) =>
      count({
        bool: { filter: [{ term: { kb: id } }, ...(model ? [{ term: { model } }] : [])] },
      });
    const ask = async (message: string, more: object = {}, key = secret, of = partner) => {
      const answer = await askedUntilWhole(() => of.query(key, message, more));
      expect(outcome(answer)).toBe('200');
      return answer.body.results.map(({ document_title: title, score }) => ({ title, score }));
    };
    const answers = async (of = partner) => {
      const all = [];
      for (const question of QUESTIONS) all.push(await ask(question, {}, secret, of));
      return all;
    };
    const places = async () => {
      const rows = await sql<{ at: unknown }>(
        service.environment,
        `SELECT in_engine AS at FROM vector_counts WHERE kb_id = '${kbId}' AND vectors > 0`,
      );
      return rows.map(({ at }) => Boolean(at));
    };
    const move = (to: string, environment = service.environment) =>
      runCommand('plugins/opensearch/move-search.command.js', environment, '', '--to', to);

    /** A command that has read the vectors of a knowledge base and is about to write them. */
    const moveHalfway = async (id: string) => {
      const other = await SearchEngineFront.start(engine.url);
      const gate = Promise.withResolvers<undefined>();
      other.gate = gate.promise;
      other.held = (body) =>
        body.includes('"_index":"latchkey-vectors"') && body.includes(`"kb":"${id}"`);
      const moved = move('opensearch', {
        ...service.environment,
        SEARCH_URL: `http://${other.host}`,
      });
      await eventually(() => other.waiting > 0);
      return async () => {
        other.held = () => false;
        gate.resolve(undefined);
        const { code, output } = await moved;
        await other.stop();
        return code === 0 ? '' : output;
      };
    };

    it('find what is meant, with the scores of a process that has the codes', async () => {
      expect(await places()).toEqual([true]);
      expect(await windowsOf(kbId)).toBe(DOCUMENTS.length);
      const found = await answers();
      expect(found.map(([best]) => best?.title)).toEqual(['Garage', 'Till', 'Kitchen', 'Till']);
      expect(await move('database')).toMatchObject({ code: 0 });
      expect(await places()).toEqual([false]);
      expect(await answers()).toEqual(found);
      await engine.request('DELETE', `${ALIAS}-1`);
      expect(await answers()).toEqual(found);
      expect(await move('opensearch')).toMatchObject({ code: 0 });
      expect(await places()).toEqual([true]);
      expect(await windowsOf(kbId)).toBe(DOCUMENTS.length);
      expect(await answers()).toEqual(found);
    });

    it('obey filters, rules, top_k and min_score', async () => {
      const filter = { type: 'eq', key: 'floor', value: 2 };
      const titles = (await ask('car', { filter })).map(({ title }) => title);
      expect(titles.sort()).toEqual(['Surgery', 'Till']);
      expect(await ask('car', { top_k: 1 })).toHaveLength(1);
      expect(await ask('car', { min_score: 1 })).toEqual([]);
      const { id } = await alice.addDocument(kbId, {
        ...{ title: 'Staff garage', text: 'Vehicle, car, automobile.' },
        access: { allow: ['group:staff'] },
      });
      await untilEmbedded(kbId, DOCUMENTS.length + 1);
      expect((await ask('car')).map(({ title }) => title)).not.toContain('Staff garage');
      const { api_key: staff } = await alice.createApiKey(kbId, { principals: ['group:staff'] });
      expect((await ask('car', {}, staff))[0]?.title).toBe('Staff garage');
      await alice.call('DELETE', `/documents/${id}`);
      expect((await ask('car', {}, staff))[0]?.title).toBe('Garage');
      await eventually(async () => (await windowsOf(kbId)) === DOCUMENTS.length);
    });

    it(
      'find the nearest in a small knowledge base beside a large one, which changes no score',
      async () => {
        const before = await answers();
        const { id } = await alice.createKnowledgeBase();
        const paragraphs = Array.from(
          { length: OTHERS },
          (_, index) => `# Part ${index}\n\nA car, an automobile, a vehicle to drive: ${index}.`,
        );
        const text = paragraphs.join('\n\n');
        await alice.addDocument(id, { title: 'Cars', text, mime_type: 'text/markdown' });
        await untilEmbedded(id, OTHERS);
        expect(await answers()).toEqual(before);
        await alice.call('DELETE', `/kbs/${id}`);
        await eventually(async () => (await windowsOf(id)) === 0);
        expect(await answers()).toEqual(before);
      },
      TIMEOUT_MS,
    );

    it('are asked for by no question while the cluster is silent to other requests', async () => {
      const { id } = await alice.createKnowledgeBase();
      endpoint.mood = 'error';
      await alice.addDocument(id, { title: 'Late', text: 'It has no vectors yet.' });
      front.mood = 'silent';
      // It is asked again what it is.
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
      endpoint.mood = 'well';
      const { greetings } = front;
      await eventually(() => front.greetings > greetings);
      const began = performance.now();
      expect(outcome(await partner.query(secret, 'car'))).toBe('503 search_unavailable');
      expect(performance.now() - began).toBeLessThan(STALLED_MS);
      front.mood = 'pass';
      await eventually(async () => outcome(await partner.query(secret, 'car')) === '200');
      await alice.call('DELETE', `/kbs/${id}`);
    });

    it('make a question partial if the cluster answers late or in part, and affect no other', async () => {
      const asked = () => partner.query(secret, 'car');
      const whole = await askedUntilWhole(asked);
      front.mood = 'slow';
      let late = await asked();
      // A busy machine may be too slow for the look at one passage, which has half a second.
      await eventually(async () => {
        if (late.status === 503) late = await asked();
        return late.status !== 503;
      });
      front.mood = 'hasty';
      const inPart = await asked();
      front.mood = 'pass';
      const next = await askedUntilWhole(asked);
      expect([late, inPart, next].map(outcome)).toEqual(['200', '200', '200']);
      expect([late, inPart].map(({ body }) => body.partial)).toEqual([true, true]);
      expect(inPart.body.results).toEqual(whole.body.results);
    });

    it.each([
      {
        change: 'replaced',
        left: 1,
        work: (kb: string) =>
          alice.addDocument(kb, { ...DOCUMENTS[1], external_id: 'one', on_duplicate: 'replace' }),
      },
      {
        change: 'deleted',
        left: 0,
        work: (kb: string, { id }: Document) => alice.call('DELETE', `/documents/${id}`),
      },
    ])(
      'are not kept for a passage that is $change while they are written',
      async ({ left, work }) => {
        const { id } = await alice.createKnowledgeBase();
        const gate = Promise.withResolvers<undefined>();
        front.waiting = 0;
        front.gate = gate.promise;
        front.held = (body) => body.includes(`"_index":"${ALIAS.slice(1)}"`) && body.includes(id);
        for (const statement of KEPT.keep) await sql(service.environment, statement);
        try {
          const document = await alice.addDocument(id, { ...DOCUMENTS[0], external_id: 'one' });
          await eventually(() => front.waiting > 0);
          const { length } = service.logs;
          await work(id, document);
          // The cluster has lost it, and the database has not.
          await eventually(() => service.logs.slice(length).includes('kept'));
          front.held = () => false;
          gate.resolve(undefined);
          // In its turn behind them.
          const { id: other } = await alice.createKnowledgeBase();
          await alice.addDocument(other, { ...DOCUMENTS[2] });
          await untilEmbedded(other, 1);
          await eventually(async () => {
            const statement = `SELECT passage_number FROM passage_vectors WHERE kb_id = '${id}'`;
            return (await sql(service.environment, statement)).length === 1 + left;
          });
          expect(await windowsOf(id)).toBe(left);
        } finally {
          front.held = () => false;
          for (const statement of KEPT.undo) await sql(service.environment, statement);
        }
      },
    );

    it('are removed for deleted passages that the database still has', async () => {
      const { id } = await alice.createKnowledgeBase();
      const { api_key: own } = await alice.createApiKey(id);
      const { id: document } = await alice.addDocument(id, { ...DOCUMENTS[0] });
      await untilEmbedded(id, 1);
      for (const statement of KEPT.keep) await sql(service.environment, statement);
      await alice.call('DELETE', `/documents/${document}`);
      await eventually(async () => (await windowsOf(id)) === 0);
      expect(await ask('car', {}, own)).toEqual([]);
      for (const statement of KEPT.undo) await sql(service.environment, statement);
    });

    it('are not kept for knowledge bases that are deleted before or during a move', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 2; count++) {
        const { id } = await alice.createKnowledgeBase();
        await alice.addDocument(id, { ...DOCUMENTS[0] });
        await untilEmbedded(id, 1);
        ids.push(id);
      }
      const [first = '', second = ''] = ids;
      const finishMove = await moveHalfway(first);
      for (const id of ids) await alice.call('DELETE', `/kbs/${id}`);
      await eventually(async () => {
        const left = await sql(
          service.environment,
          `SELECT id FROM knowledge_bases WHERE id IN ('${first}', '${second}')`,
        );
        return left.length === 0;
      });
      expect(await finishMove()).toBe('');
      for (const id of ids) expect(await windowsOf(id)).toBe(0);
    });

    it('are replaced by those of another model once they are made', async () => {
      const before = await answers();
      const finishMove = await moveHalfway(kbId);
      await service.stop();
      service = await Service.start({ ...service.environment, EMBEDDINGS_MODEL: 'another' });
      alice = new Client(service, 'alice');
      partner = new Client(service);
      await untilEmbedded(kbId, DOCUMENTS.length);
      expect(await places()).toEqual([true]);
      expect(await answers()).toEqual(before);
      expect(await windowsOf(kbId, 'another')).toBe(DOCUMENTS.length);
      expect(await windowsOf(kbId, 'synonyms')).toBe(0);
      // It writes vectors of the model that is no longer used.
      await finishMove();
      expect(await windowsOf(kbId, 'another')).toBe(DOCUMENTS.length);
      expect(await answers()).toEqual(before);
    });

    it('are reported as lost by the cluster, and restored', async () => {
      const before = await answers();
      await engine.request('DELETE', `${ALIAS}-1`);
      expect(outcome(await partner.query(secret, 'car'))).toBe('503 search_unavailable');
      // Somebody makes it anew, without a field for vectors with so many numbers.
      await engine.request('PUT', `${ALIAS}-1`, { aliases: { [ALIAS.slice(1)]: {} } });
      expect(outcome(await partner.query(secret, 'car'))).toBe('503 search_unavailable');
      await engine.request('DELETE', `${ALIAS}-1`);
      // What is embedded makes the index anew, without the others.
      const { id } = await alice.createKnowledgeBase();
      await alice.addDocument(id, { title: 'Bus', text: 'A vehicle for many.' });
      await untilEmbedded(id, 1);
      expect(outcome(await partner.query(secret, 'car'))).toBe('503 search_unavailable');
      expect(await move('opensearch')).toMatchObject({ code: 0 });
      expect(await answers()).toEqual(before);
    });

    it(
      'stay in the database where the cluster has no plugin for them',
      async () => {
        const before = await answers();
        const plain = await OpenSearch.start(1, { hasVectors: false });
        const other = await Service.start({ ...service.environment, SEARCH_URL: plain.url });
        try {
          const moved = await move('opensearch', other.environment);
          expect(moved).toMatchObject({ code: 0 });
          expect(moved.output).toContain('Vectors stay in the database');
          expect(await places()).toEqual([false]);
          expect(await answers(new Client(other))).toEqual(before);
          const doctor = await runCommand('operations/doctor.command.js', other.environment);
          expect(doctor.output).toContain('the cluster has no k-NN plugin');
        } finally {
          await other.stop();
          await plain.stop();
        }
      },
      TIMEOUT_MS,
    );
  },
);
