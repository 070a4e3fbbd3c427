// Each file in SQuAD’s form makes two knowledge bases of half of its articles; a question is asked of its
// own half, and of the other, which cannot answer it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { round, startService } from '../support.mjs';

/** @typedef {import('../support.mjs').Service} Service */
/** @typedef {{ title?: string, paragraphs: { context: string, qas: { question: string, answers: { text: string }[] }[] }[] }} Article */
/** @typedef {{ question: string, external_ids: string[], answer_contains: string[] }} Question */

/** Of which null is the calibrated one. */
const THRESHOLDS = [null, 0, 0.1, 0.2, 0.3, 0.4, 0.5];
const MAX_QUESTIONS = Number(process.env['ANSWERS_LIMIT'] ?? 300);

/** @param {string} directory */
export async function measureSquad(directory) {
  const service = await startService();
  /** @type {Record<string, Record<string, string | number>[]>} */
  const tables = {};
  try {
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.json'))) {
      tables[file] = await evaluateFile(service, join(directory, file));
    }
  } finally {
    await service.stop();
  }
  return tables;
}

/**
 * @param {Service} service
 * @param {string} file
 */
async function evaluateFile(service, file) {
  /** @type {{ data: Article[] }} */
  const { data } = JSON.parse(readFileSync(file, 'utf8'));
  const halves = [0, 1].map((half) => data.filter((_, index) => index % 2 === half));
  const bases = await Promise.all(halves.map((half) => load(service, half)));
  /** @type {Record<string, string | number>[]} */
  const rows = [];
  for (const threshold of THRESHOLDS) {
    const figures = await Promise.all(
      bases.map(({ kbId, questions }, index) =>
        evaluate(service, kbId, threshold, [
          ...questions,
          ...(bases[1 - index]?.questions ?? []).map(({ question }) => ({
            question,
            answerable: false,
          })),
        ]),
      ),
    );
    /** @param {string} name */
    const mean = (name) =>
      round(figures.reduce((sum, one) => sum + one[name], 0) / figures.length, 3);
    rows.push({
      threshold: threshold ?? 'null',
      'hit@1': mean('hit_at_1'),
      answered: mean('answered_rate'),
      right: mean('right_rate'),
      'falsely answered': mean('false_answer_rate'),
    });
  }
  return rows;
}

/**
 * @param {Service} service
 * @param {Article[]} articles
 * @returns {Promise<{ kbId: string, questions: Question[] }>}
 */
async function load(service, articles) {
  const { id: kbId } = await service.call('POST', '/kbs', { name: 'answers' });
  /** @type {Question[]} */
  const questions = [];
  for (const [index, { title = 'Article', paragraphs }] of articles.entries()) {
    for (const [position, { context: text, qas }] of paragraphs.entries()) {
      const external_id = `${index}-${position}`;
      const document = { title, text, external_id, on_duplicate: 'skip' };
      await service.call('POST', `/kbs/${kbId}/documents`, document);
      for (const { question, answers } of qas) {
        const answer_contains = answers.map((answer) => answer.text);
        questions.push({ question, external_ids: [external_id], answer_contains });
      }
    }
  }
  for (const status of ['pending', 'processing']) {
    while ((await service.call('GET', `/kbs/${kbId}/documents?status=${status}`)).total > 0) {
      await pause(200);
    }
  }
  const every = Math.max(1, Math.ceil(questions.length / (MAX_QUESTIONS / 2)));
  return { kbId, questions: questions.filter((_, index) => index % every === 0) };
}

/**
 * @param {Service} service
 * @param {string} kbId
 * @param {number | null} threshold
 * @param {object[]} questions
 */
async function evaluate(service, kbId, threshold, questions) {
  const settings = { answer_threshold: threshold };
  const path = `/kbs/${kbId}/evaluations`;
  const { id } = await service.call('POST', path, { settings, questions });
  for (;;) {
    const { status, figures } = await service.call('GET', `/evaluations/${id}`);
    if (status === 'complete') return figures;
    if (status === 'failed') throw new Error(`The evaluation ${id} failed`);
    await pause(500);
  }
}
