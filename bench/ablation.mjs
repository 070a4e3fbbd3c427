// What each stage of the ranking by words is worth: the search without it, on test collections.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { addCollection, COLLECTIONS, readCollection } from './fixtures/collections.mjs';
import { DATA } from './fixtures/text.mjs';
import { STAGES } from './ablation/stages.mjs';
import { LONG_TIMEOUTS, report, round, startService } from './support.mjs';

/** @typedef {{ clean: number, corrupted: number, cpuMs: number }} Result */

/** A stage that is worth less on every collection is not worth its lines. */
const MIN_WORTH = 0.003;

export default async function ablation() {
  if (DATA === undefined) {
    console.warn('SKIPPED: RETRIEVAL_DATA names no folder of test collections');
    return;
  }
  const service = await startService({ ...LONG_TIMEOUTS, EMBEDDINGS: 'off' });
  /** @type {{ name: string, id: string }[]} */
  const knowledgeBases = [];
  for (const name of COLLECTIONS) {
    const { id } = await addCollection(service, name, readCollection(name).corpus);
    knowledgeBases.push({ name, id });
  }
  await service.stop();
  const without = (/** @type {string} */ stage) => {
    const directory = String(service.environment['DATA_DIR']);
    const script = new URL('./ablation/ask.mjs', import.meta.url).pathname;
    const values = [script, stage, directory, JSON.stringify(knowledgeBases)];
    const output = execFileSync(process.execPath, values, { encoding: 'utf8' });
    return /** @type {Result[]} */ (JSON.parse(output));
  };
  const whole = without('');
  const cpu = (/** @type {Result[]} */ results) =>
    results.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / results.length;
  /** @param {Result[]} results @param {'clean' | 'corrupted'} questions */
  const lost = (results, questions) =>
    results.map((result, index) => (whole[index]?.[questions] ?? 0) - result[questions]);
  const row = (/** @type {Result[]} */ results) =>
    Object.fromEntries(
      COLLECTIONS.map((name, index) => [name, round(results[index]?.clean ?? 0, 4)]),
    );
  const mean = (/** @type {number[]} */ values) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  report('ablation', {
    notes: [
      'nDCG@10 by document over 30 passages, by words alone; the search in one process, without HTTP',
      'misspelt: what the mean of the collections loses for questions of which 30 % of the content words have a mistake',
      'CPU: of a question, mean of the collections',
      `a stage is kept if it is worth ${MIN_WORTH} on a collection, of clean or of misspelt questions, or if it is for what these collections do not have, as identifiers and compounds`,
    ],
    tables: {
      'nDCG@10 without a stage': [
        {
          without: '(nothing)',
          lines: '',
          ...row(whole),
          misspelt: '',
          'CPU ms': round(cpu(whole), 2),
          verdict: '',
        },
        ...STAGES.map(({ name, files }) => {
          const results = without(name);
          const losses = [...lost(results, 'clean'), ...lost(results, 'corrupted')];
          return {
            without: name,
            lines: files.reduce((sum, file) => sum + linesOf(file), 0) || '',
            ...row(results),
            misspelt: round(mean(lost(results, 'corrupted')), 4),
            'CPU ms': round(cpu(results), 2),
            verdict: Math.max(...losses) >= MIN_WORTH ? 'worth it' : 'not worth it here',
          };
        }),
      ],
    },
  });
}

/** @param {string} file of packages/ranking */
const linesOf = (file) =>
  readFileSync(new URL(`../packages/ranking/src/${file}`, import.meta.url), 'utf8').split('\n')
    .length - 1;
