import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

/** The actions of a sequence; what takes part of it away is rarer. */
const ACTIONS = [
  ...['replace', 'replace', 'replace', 'restore', 'restore'],
  ...['rule', 'rule', 'hold', 'erase'],
] as const;
const STEPS = 25;

interface Expected {
  readonly text: string;
  readonly rule: string | null;
}

/** What a document should be: its contents by number, the rule of each, and the rule of now. */
interface Model {
  readonly id: string;
  readonly versions: Map<number, Expected>;
  current: number;
  rule: string | null;
}

interface Added {
  readonly id: string;
  readonly access: { readonly allow: readonly string[] } | null;
}

const LIMIT = 6;

describe('random sequences of replace, restore, rule, hold and erase', () => {
  let service: Service;
  let alice: Client;
  /** Members in different groups: alice is in both. */
  let readers: readonly (readonly [Client, readonly string[]])[];

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice', ['red', 'blue']);
    readers = [
      [alice, ['red', 'blue']],
      [new Client(service, 'bob', ['red']), ['red']],
      [new Client(service, 'carol'), []],
    ];
  });
  afterAll(() => service.stop());

  const mayRead = (groups: readonly string[], rule: string | null) =>
    rule === null || groups.includes(rule);

  /** A restored content gets the rule of both, which names nobody if they name different groups. */
  const narrower = (one: string | null, other: string | null) => {
    if (one === null || one === other) return other;
    return other === null ? one : 'nobody';
  };

  /** Each version is there with its text for those who may read it, and does not exist for others. */
  async function expectAll(model: Model, context: string): Promise<void> {
    for (const [reader, groups] of readers) {
      for (let number = 1; number <= model.current; number++) {
        const expected = model.versions.get(number);
        const isCurrent = number === model.current;
        const isOpen =
          expected !== undefined &&
          mayRead(groups, model.rule) &&
          (isCurrent || mayRead(groups, expected.rule));
        const path = `/documents/${model.id}/versions/${number}`;
        const found = await reader.get<Page<{ text: string }>>(path);
        const original = await reader.get(`${path}/original`);
        const what = `${context}, version ${number} for ${groups.join() || 'none'}`;
        expect([what, found.status, original.status]).toEqual([
          ...[what, isOpen ? 200 : 404, isOpen ? 200 : 404],
        ]);
        if (!isOpen) continue;
        expect([what, original.text]).toEqual([what, expected.text]);
        const texts = found.body.data.map(({ text }) => text);
        // One that was replaced before it was indexed has none.
        if (texts.length > 0) expect([what, texts.join('')]).toEqual([what, expected.text]);
      }
    }
  }

  const rows = async (kbId: string) => {
    const count = async (statement: string) =>
      Number(
        (await sql<{ count: number | string }>(service.environment, statement))[0]?.count ?? 0,
      );
    return {
      documents: await count(`SELECT COUNT(*) AS count FROM documents WHERE kb_id = '${kbId}'`),
      passages: await count(`SELECT COUNT(*) AS count FROM passages WHERE kb_id = '${kbId}'`),
      bytes: await count(`SELECT bytes AS count FROM knowledge_base_sizes WHERE kb_id = '${kbId}'`),
      contents: await count(
        `SELECT COUNT(*) AS count FROM document_contents WHERE document_id IN
           (SELECT id FROM documents WHERE kb_id = '${kbId}')`,
      ),
    };
  };

  async function play(seed: number): Promise<Record<string, number>> {
    let draws = 0;
    const random = (below: number) =>
      createHash('sha256').update(`${seed} ${draws++}`).digest().readUInt32BE() % below;
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.set(kbId, { version_retention_days: 30, version_limit: LIMIT });
    for (const name of ['bob', 'carol']) {
      await alice.call('PUT', `/kbs/${kbId}/members/${name}`, { role: 'member' });
    }
    const counts: Record<string, number> = {};
    const hold = { isOn: false };
    let written = 0;
    let model: Model | undefined;
    const keep = (text: string, rule: string | null) => {
      if (!model) return;
      const former = model.versions.get(model.current);
      if (former) model.versions.set(model.current, { ...former, rule: model.rule });
      model.current++;
      model.versions.set(model.current, { text, rule });
      model.rule = rule;
      model.versions.delete(model.current - LIMIT - 1);
    };
    const actions = {
      replace: async () => {
        const text = `Content ${seed} number ${++written}.`;
        const body = { title: 'Rates', text, external_id: 'rates', on_duplicate: 'replace' };
        const answer = await alice.post<Added>(`/kbs/${kbId}/documents`, body);
        if (model && hold.isOn) return outcome(answer);
        if (model) keep(text, model.rule);
        else {
          // A document that was erased returns with its rule.
          const { id, access } = answer.body;
          const rule = access && (access.allow[0]?.replace('group:', '') ?? 'nobody');
          model = { id, versions: new Map([[1, { text, rule }]]), current: 1, rule };
        }
        if (random(3) > 0) await alice.readDocument(model.id);
        return outcome(answer);
      },
      restore: async () => {
        if (!model) return 'nothing';
        const number = 1 + random(model.current + 1);
        const path = `/documents/${model.id}/versions/${number}/restore`;
        const answer = await alice.post(path, {});
        const version = model.versions.get(number);
        const groups = ['red', 'blue'];
        if (answer.status === 202 && version && number !== model.current) {
          expect([mayRead(groups, version.rule), mayRead(groups, model.rule)]).toEqual([
            true,
            true,
          ]);
          const isSame = version.text === model.versions.get(model.current)?.text;
          const rule = narrower(version.rule, model.rule);
          if (isSame) model.rule = rule;
          else keep(version.text, rule);
        }
        return outcome(answer);
      },
      rule: async () => {
        if (!model) return 'nothing';
        const rule = ([null, 'red', 'blue'] as const)[random(3)] ?? null;
        const access = rule === null ? null : { allow: [`group:${rule}`] };
        const answer = await alice.call('PATCH', `/documents/${model.id}`, { access });
        if (answer.status === 200) model.rule = rule;
        return outcome(answer);
      },
      hold: async () => {
        hold.isOn = !hold.isOn;
        await alice.set(kbId, { legal_hold: hold.isOn });
        return String(hold.isOn);
      },
      erase: async () => {
        if (!model) return 'nothing';
        const answer = await alice.call('DELETE', `/documents/${model.id}`);
        if (answer.status !== 200) return outcome(answer);
        for (const [reader] of readers) {
          for (const number of model.versions.keys()) {
            const path = `/documents/${model.id}/versions/${number}`;
            expect((await reader.get(path)).status).toBe(404);
            expect((await reader.get(`${path}/original`)).status).toBe(404);
          }
        }
        model = undefined;
        return 'erased';
      },
    };
    /** Actions change it, which the compiler does not see. */
    const now = (): Model | undefined => model;
    for (let step = 0; step < STEPS; step++) {
      const action = ACTIONS[random(ACTIONS.length)] ?? 'replace';
      const result = `${action} ${await actions[action]()}`;
      counts[result] = (counts[result] ?? 0) + 1;
      const left = now();
      if (left) await expectAll(left, `seed ${seed}, step ${step}, ${result}`);
    }
    if (hold.isOn) await actions.hold();
    const left = now();
    if (left) {
      const { id, versions } = left;
      await alice.readDocument(id);
      await eventually(async () => (await rows(kbId)).documents === versions.size);
      const bytes = [...versions.values()].reduce((sum, { text }) => sum + text.length, 0);
      expect(await rows(kbId)).toMatchObject({ bytes, contents: versions.size });
      await alice.call('DELETE', `/documents/${id}`);
    }
    await eventually(async () => Object.values(await rows(kbId)).every((count) => count === 0));
    return counts;
  }

  it('lose nothing and open nothing', async () => {
    const base = Number(process.env['VERSION_SEED'] ?? Date.now() % 1_000_000);
    for (let round = 0; round < repetitions(3, 60); round++) {
      const counts = await play(base + round);
      process.stdout.write(`versions, seed ${base + round}: ${JSON.stringify(counts)}\n`);
    }
  });
});
