import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Page } from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { databaseTime, sql } from '../support/sql.js';

const ALICE = newUserId('alice');
const RETURNS = {
  question: 'How long may customers return an order?',
  external_ids: ['returns'],
  answer_contains: '30 days',
};
/** No word of the question is in its document. */
const MISSED = { question: 'Where does the ferry land?', external_ids: ['metro'] };
const KING = { question: 'Who is the king of France?', answerable: false };

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('latchkey evaluate', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    kbId = (await alice.createKnowledgeBase()).id;
    const text = 'Customers may return any order within 30 days of delivery.';
    await alice.addDocument(kbId, { title: 'Returns', text, external_id: 'returns' });
    const buses = 'King County Metro operates buses in Seattle.';
    await alice.addDocument(kbId, { title: 'Metro', text: buses, external_id: 'metro' });
  });

  const fileOf = (text: string): string => {
    const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'questions-'));
    const file = join(folder, 'questions.jsonl');
    writeFileSync(file, text);
    return file;
  };
  const questionsOf = (...questions: object[]) =>
    fileOf(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));

  /** @param whileRunning gets the process */
  const evaluate = (
    args: readonly string[],
    whileRunning: (child: ReturnType<typeof execFile>) => Promise<void> = () => Promise.resolve(),
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env['PATH'], LATCHKEY_URL: service.url, LATCHKEY_USER: ALICE };
      const command = ['packages/cli/dist/latchkey.js', ...args];
      const child = execFile(process.execPath, command, { env }, (_, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      });
      whileRunning(child).catch(reject);
    });

  it('reads questions with gold texts, several lists of them, earlier questions and small talk', async () => {
    const common = { id: 'q1', language: 'en', kind: 'follow-up', document: 'returns' };
    const file = questionsOf(
      {
        ...{ ...common, history: ['May customers return an order?'] },
        ...{ question: 'Within how many days of delivery?', gold: ['60 days'] },
        ...{ gold_alt: ['30 days'], answerable: true, note: 'Any' },
      },
      {
        kind: 'multi',
        question: RETURNS.question,
        gold_all: [['a month', '30 days'], ['delivery']],
      },
      {
        ...{ question: 'And within how many days?', history: ['May customers return an order?'] },
        answer_contains: '30 days',
      },
      { kind: 'smalltalk', question: 'Hello!', gold: [], answerable: false },
    );
    const { code, stdout, stderr } = await evaluate(['evaluate', kbId, file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^right_rate {2}1$/m);
    expect(stdout).toMatch(/^false_answer_rate {2}0$/m);
  });

  it('prints the figures, and the questions that were answered wrongly', async () => {
    const file = fileOf(`${JSON.stringify(RETURNS)}\r\n\n${JSON.stringify(MISSED)}\n`);
    const { code, stdout, stderr } = await evaluate(['evaluate', kbId, file, '--name', 'CI']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^eval_[0-9a-z]{26}: 2 questions\n/);
    expect(stdout).toMatch(/^hit_at_5 {2}[01](\.\d+)?$/m);
    expect(stdout).toMatch(/^latency_p50_ms {2}\d+$/m);
    const [, wrong = ''] = stdout.split('Answered wrongly, or not as expected:\n');
    expect(wrong).toContain(MISSED.question);
    expect(wrong).not.toContain(RETURNS.question);
  });

  it('prints the evaluation as it is with --json', async () => {
    const file = questionsOf(RETURNS, KING);
    const { stdout } = await evaluate(['--json', 'evaluate', kbId, file, '--top-k', '2']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'complete',
      settings: { top_k: 2 },
      figures: { hit_at_5: 1, false_answer_rate: 0 },
    });
  });

  it('fails below --min-hit-at-5, and not at it', async () => {
    const file = questionsOf(RETURNS, { question: 'Zebra?', external_ids: ['metro'] });
    const half = await evaluate(['evaluate', kbId, file, '--min-hit-at-5', '0.5']);
    expect([half.code, half.stderr]).toEqual([0, '']);
    const more = await evaluate(['evaluate', kbId, file, '--min-hit-at-5', '0.51']);
    expect(more).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('hit_at_5  0.5\n'),
      stderr: 'latchkey: hit_at_5 is 0.5, below 0.51\n',
    });
  });

  it('deletes an evaluation that is interrupted', async () => {
    const { id } = await alice.createKnowledgeBase();
    const evaluations = async () =>
      (await alice.get<Page<object>>(`/kbs/${id}/evaluations`)).body.total;
    const file = questionsOf(...Array.from({ length: 2000 }, () => KING));
    const { code, stdout, stderr } = await evaluate(['evaluate', id, file], async (child) => {
      await eventually(async () => (await evaluations()) === 1);
      // As if another process had leased it: otherwise it may be complete before it is interrupted.
      await sql(
        service.environment,
        `UPDATE queued_jobs SET state = 'leased', lease = 'another', due_at = ${databaseTime(50_000)}
         WHERE queue = 'evaluations' AND kb_id = '${id}'`,
      );
      child.kill('SIGINT');
    });
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toBe('latchkey: interrupted; the evaluation is deleted\n');
    expect(await evaluations()).toBe(0);
  });

  it.each<[string, () => string[], number, RegExp]>([
    ['no such file', () => [kbId, './nowhere.jsonl'], 2, /nowhere\.jsonl cannot be read/],
    ['a line that is cut off', () => [kbId, fileOf('{"question": "a"}\n\n{"ques')], 2, /line 3 is/],
    [
      'a line that is not an object',
      () => [kbId, fileOf('"a question"')],
      2,
      /line 1 is not an object/,
    ],
    ['a share above 1', () => [kbId, questionsOf(KING), '--min-hit-at-5', '5'], 2, /from 0 to 1/],
    [
      '--min-hit-at-5 without external_ids',
      () => [kbId, questionsOf(KING), '--min-hit-at-5', '1'],
      2,
      /external_ids/,
    ],
    ['no questions', () => [kbId, fileOf('\n')], 1, /400 validation_failed[^]*questions/],
    [
      'an unknown field',
      () => [kbId, fileOf('{"question":"a"}\n\n{"question":"b","answers":1}')],
      1,
      /questions\.jsonl: line 3\.answers/,
    ],
    [
      'an unknown document',
      () => [kbId, questionsOf(KING, { question: 'b', external_ids: ['none'] })],
      1,
      /questions\.jsonl: line 2\.external_ids\.0/,
    ],
    [
      'an unknown knowledge base',
      () => [`kb_${'0'.repeat(26)}`, questionsOf(KING)],
      1,
      /404 not_found/,
    ],
  ])('refuses %s', async (_, args, exitCode, message) => {
    const { code, stdout, stderr } = await evaluate(['evaluate', ...args()]);
    expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringMatching(message)]);
  });
});
