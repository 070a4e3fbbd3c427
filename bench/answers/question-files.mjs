// Questions in the form of natural questions (one JSON object a line), and their documents.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @typedef {object} Question
 * @property {string} id
 * @property {string} kind
 * @property {string} language
 * @property {string} question
 * @property {string[]} [history] earlier questions of the conversation
 * @property {'A' | 'B'} [half] B is for measuring alone
 * @property {string | null} [document] the file that answers
 * @property {string[]} [gold] any of these texts makes an answer right
 * @property {string[]} [gold_alt]
 * @property {string[][]} [gold_all] one text of each list is needed
 * @property {boolean} answerable
 */
/** @typedef {(method: string, path: string, body?: unknown) => Promise<any>} Call */

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const TOKEN = new RegExp(`[${CJK}]|(?:(?![${CJK}])\\p{L})+|\\p{N}+`, 'gu');

/** @param {string} text */
const fold = (text) =>
  (
    text
      .normalize('NFKC')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
      .match(TOKEN) ?? []
  ).join(' ');

/**
 * @param {string} file
 * @returns {Question[]}
 */
export const readQuestions = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/**
 * @param {Question} question
 * @returns {string[][]} lists of texts, of each of which a right answer has one
 */
export const goldsOf = ({ gold = [], gold_alt: further = [], gold_all: all }) =>
  all ?? (gold.length > 0 ? [[...gold, ...further]] : []);

/**
 * @param {string} text
 * @param {string[][]} golds
 */
export function isRight(text, golds) {
  const folded = ` ${fold(text)} `;
  return (
    golds.length > 0 && golds.every((some) => some.some((one) => folded.includes(` ${fold(one)} `)))
  );
}

/**
 * @param {Call} call
 * @param {string} kbId
 * @param {string[]} directories
 */
export async function loadFiles(call, kbId, directories) {
  const files = new Map(
    directories
      .flatMap((directory) => readdirSync(directory).map((name) => [name, join(directory, name)]))
      .filter(([, path]) => statSync(String(path)).isFile())
      .toReversed()
      .map(([name, path]) => [String(name), String(path)]),
  );
  for (const [name, path] of files) {
    const form = new globalThis.FormData();
    form.set('title', name.replace(/\.[a-z]+$/, ''));
    form.set('external_id', name);
    form.set('file', new globalThis.Blob([readFileSync(path)]), name);
    await call('POST', `/kbs/${kbId}/documents`, form);
  }
}

/**
 * Waits until all documents are read, and where a model is used until all passages have vectors.
 *
 * @param {Call} call
 * @param {string} kbId
 * @param {boolean} [byMeaning]
 */
export async function waitUntilRead(call, kbId, byMeaning = process.env['EMBEDDINGS'] !== 'off') {
  for (const status of ['pending', 'processing']) {
    while ((await call('GET', `/kbs/${kbId}/documents?status=${status}&limit=1`)).total > 0) {
      await pause(200);
    }
  }
  for (;;) {
    const { passages = 0, vectors = passages } = await call('GET', `/kbs/${kbId}`);
    if (!byMeaning || vectors >= passages) return;
    await pause(500);
  }
}
