import { CodeIndex } from '@latchkey/embeddings/code-index';
import { compareWindows, storeWindows } from '@latchkey/embeddings/window-vectors';
import { splitWindows } from '@latchkey/embeddings/windows';
import { readText, spread } from '../fixtures/text.mjs';
import { round } from '../support.mjs';

/** `RECALL_PASSAGES`: how many are embedded, which takes a model the longest. */
const PASSAGES = Number(process.env['RECALL_PASSAGES'] ?? 10_000);
const QUESTIONS = 200;
const NEAREST = 10;
/** As many windows as a search compares by their vectors; of larger knowledge bases they are such shares. */
const COMPARED = 400;
const SHARES = [1 / 50, 1 / 500];
const MIN_RECALL = 0.98;

/**
 * Of the ten passages whose windows are nearest to a question by their vectors, the share that is among
 * those with the nearest codes.
 *
 * @param {import('@latchkey/embeddings/local-model').LocalModel} model
 */
export async function measureRecall(model) {
  const { passages, questions } = readText();
  const index = new CodeIndex();
  /** @type {import('@latchkey/embeddings/window-vectors').StoredWindows[]} */
  const stored = [];
  const asked = [];
  for (const question of spread(questions, QUESTIONS, 0))
    asked.push(await model.embed(question, 'question'));
  let windows = 0;
  const rows = [];
  const step = Math.floor(passages.length / PASSAGES) || 1;
  for (let number = 0; number < Math.min(PASSAGES, passages.length); number++) {
    const { heading = '', text = '' } = passages[number * step] ?? {};
    const made = [];
    for (const { start, end, embedded } of splitWindows({ title: heading, heading: null, text })) {
      const vector = await model.embed(embedded, 'passages');
      if (vector) made.push({ start, end, vector });
    }
    if (made.length === 0) continue;
    const one = storeWindows(made);
    index.add(stored.length, one.codes, made.length);
    stored.push(one);
    windows += made.length;
    const isTenth = stored.length === Math.floor(PASSAGES / 10);
    if (isTenth || number === Math.min(PASSAGES, passages.length) - 1)
      rows.push(...(await recallOf(index, stored, windows, asked)));
  }
  return rows;
}

/**
 * @param {CodeIndex} index of the passages by their places in `stored`
 * @param {import('@latchkey/embeddings/window-vectors').StoredWindows[]} stored
 * @param {number} windows
 * @param {(Float32Array | undefined)[]} asked
 */
async function recallOf(index, stored, windows, asked) {
  const limits = [COMPARED, ...SHARES.map((share) => Math.round(share * windows))].filter(
    (limit) => limit > NEAREST,
  );
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const vector of asked) {
    if (!vector) continue;
    const nearest = stored
      .map((one, number) => {
        const similarities = compareWindows(one, [vector]).map(
          ({ similarities: [similarity = -1] }) => similarity,
        );
        return { number, similarity: Math.max(...similarities) };
      })
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, NEAREST);
    for (const compared of limits) {
      const near = new Set(
        await index.nearest(vector, compared, undefined, () => Promise.resolve()),
      );
      const among = nearest.filter(({ number }) => near.has(number)).length;
      found.set(compared, (found.get(compared) ?? 0) + among / NEAREST);
    }
  }
  return limits.map((compared) => {
    const recall = (found.get(compared) ?? 0) / asked.length;
    return {
      windows,
      compared,
      recall: round(recall, 3),
      verdict: recall >= MIN_RECALL ? 'met' : 'missed',
    };
  });
}
