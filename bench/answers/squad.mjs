// Each file in SQuAD’s form makes two knowledge bases of half of its articles; a question is asked of its
// own half, and of the other, which cannot answer it.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** @typedef {import('./question-files.mjs').Call} Call */
/** @typedef {import('./question-files.mjs').Question} Question */
/** @typedef {{ title?: string, paragraphs: { context: string, qas: { question: string, answers: { text: string }[] }[] }[] }} Article */

/** Of a file, each of which is asked twice. */
const MAX_QUESTIONS = Number(process.env['ANSWERS_LIMIT'] ?? 300);

/**
 * @param {Call} call
 * @param {string} directory
 */
export async function loadSquads(call, directory) {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  const squads = [];
  for (const file of files.sort()) {
    /** @type {{ data: Article[] }} */
    const { data } = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    /** @type {{ id: string, questions: Question[] }[]} */
    const halves = [];
    for (const half of [0, 1]) {
      const articles = data.filter((_, index) => index % 2 === half);
      halves.push({ id: await load(call, articles), questions: questionsOf(articles) });
    }
    squads.push({
      name: basename(file, '.json'),
      halves: halves.map(({ id, questions }) => ({
        id,
        questions: [
          ...questions,
          ...halves
            .filter((half) => half.id !== id)
            .flatMap((half) => half.questions)
            .map((question) => ({ ...question, kind: 'other', answerable: false })),
        ],
      })),
    });
  }
  return squads;
}

/**
 * @param {Call} call
 * @param {Article[]} articles
 * @returns {Promise<string>} the id of their knowledge base
 */
async function load(call, articles) {
  const { id } = await call('POST', '/kbs', { name: 'answers' });
  for (const { title = 'Article', paragraphs } of articles) {
    for (const { context: text } of paragraphs) {
      await call('POST', `/kbs/${id}/documents`, { title, text, on_duplicate: 'skip' });
    }
  }
  return id;
}

/**
 * @param {Article[]} articles
 * @returns {Question[]}
 */
function questionsOf(articles) {
  const all = articles.flatMap(({ paragraphs }) => paragraphs.flatMap(({ qas }) => qas));
  const every = Math.max(1, Math.ceil(all.length / (MAX_QUESTIONS / 2)));
  return all
    .filter((_, index) => index % every === 0)
    .map(({ question, answers }) => ({
      ...{ id: question, kind: 'own', language: '', question },
      gold: answers.map(({ text }) => text),
      answerable: true,
    }));
}
