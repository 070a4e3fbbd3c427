// How well questions are answered and refused, by words, by each model of ANSWERS_MODELS, and by the last
// of them with a scripted language model. ANSWERS_QUESTIONS and ANSWERS_DOCUMENTS name other questions,
// ANSWERS_DIRECTORY a folder of files in SQuAD's form.
import { basename } from 'node:path';
import { askAll, costsOf, figuresOf, squadFiguresOf } from './answers/ask.mjs';
import { loadFiles, readQuestions, waitUntilRead } from './answers/question-files.mjs';
import { startScriptedModel } from './answers/scripted-model.mjs';
import { loadSquads } from './answers/squad.mjs';
import { waitForModel } from './answers/wait-for-model.mjs';
import { report, startService } from './support.mjs';

/** @typedef {import('./answers/question-files.mjs').Question} Question */
/** @typedef {{ by: string, environment: NodeJS.ProcessEnv }} Combination */
/** @typedef {Record<string, string | number>} Row */

const HERE = new URL('answers/', import.meta.url).pathname;
const {
  ANSWERS_QUESTIONS: questionsFile = `${HERE}questions.jsonl`,
  ANSWERS_DOCUMENTS: documents = `${HERE}documents`,
  ANSWERS_MODELS: models = '',
  ANSWERS_DIRECTORY: squadDirectory,
} = process.env;

export default async function answers() {
  if (squadDirectory === undefined) {
    console.warn('SKIPPED XQuAD: ANSWERS_DIRECTORY names no folder of files in the form of SQuAD');
  }
  const questions = readQuestions(questionsFile);
  /** @type {Row[]} */
  const natural = [];
  /** @type {Map<string, Row>} */
  const byKind = new Map();
  /** @type {Row[]} */
  const ofSquads = [];
  const meanings = [undefined, ...models.split(',').filter(Boolean)];
  for (const model of meanings) {
    const name = model === undefined ? 'words' : basename(model);
    const filled = await fill(
      model === undefined ? { EMBEDDINGS: 'off' } : { EMBEDDINGS_MODEL_PATH: model },
    );
    for (const { by, environment } of [
      { by: name, environment: {} },
      ...(model === meanings.at(-1) ? await scriptedModels(name) : []),
    ]) {
      const service = await startService({ ...filled.environment, ...environment });
      try {
        if (filled.byMeaning) await waitForModel(service.url);
        const measured = await askAll(service, filled.id, questions);
        natural.push({ by, ...figuresOf(measured.asked), ...costsOf([measured]) });
        for (const kind of new Set(questions.map((question) => question.kind))) {
          const { right, answered } = figuresOf(
            measured.asked.filter(({ question }) => question.kind === kind),
          );
          byKind.set(kind, { kind, ...byKind.get(kind), [by]: right === '' ? answered : right });
        }
        for (const { name, halves } of filled.squads) {
          const measured = [];
          for (const { id, questions } of halves)
            measured.push(await askAll(service, id, questions));
          const figures = squadFiguresOf(measured.flatMap(({ asked }) => asked));
          ofSquads.push({ by, questions: name, ...figures, ...costsOf(measured) });
        }
      } finally {
        await service.stop();
      }
      // Of a run that is ended, what it has measured stays.
      reportAnswers(questions.length, { natural, byKind: [...byKind.values()], ofSquads });
    }
  }
}

/**
 * @param {number} questions
 * @param {{ natural: Row[], byKind: Row[], ofSquads: Row[] }} rows
 */
function reportAnswers(questions, { natural, byKind, ofSquads }) {
  report('answers', {
    notes: [
      `${questions} questions of ${basename(questionsFile)}, asked one after the other in one knowledge base of all documents, without recognition of pictures.`,
      'found: an expected text is in the five best passages; right: it is in the answer; refused: of the answerable; related: of the refused, it is in a snippet of `related`.',
      'near, off, other: the share answered of the questions that cannot be: on the topic, off it, on another half of the articles; by kind: their share answered, else right.',
      'ungrounded: the share of the answers of a language model that are marked as not carried by their passages.',
    ],
    tables: {
      'All questions': natural,
      'By kind': byKind,
      ...(ofSquads.length > 0 && { XQuAD: ofSquads }),
    },
  });
}

/**
 * @param {string} name
 * @returns {Promise<Combination[]>}
 */
const scriptedModels = (name) =>
  Promise.all(
    /** @type {const} */ (['cites', 'refuses', 'invents']).map(async (behaviour) => ({
      by: `${name}, a model ${behaviour}`,
      environment: await startScriptedModel(behaviour),
    })),
  );

/**
 * Once for all that is asked by one model, whose vectors of the real documents take minutes.
 *
 * @param {NodeJS.ProcessEnv} own
 */
async function fill(own) {
  const { call, environment, stop } = await startService(own);
  const byMeaning = own['EMBEDDINGS'] !== 'off';
  const { id } = await call('POST', '/kbs', { name: 'answers' });
  // A document with pictures is not ready before these are recognised, which takes longer than all else.
  await call('PATCH', `/kbs/${id}/settings`, { ocr: 'off' });
  await loadFiles(call, id, documents.split(','));
  const squads = squadDirectory === undefined ? [] : await loadSquads(call, squadDirectory);
  const bases = [id, ...squads.flatMap(({ halves }) => halves.map((half) => half.id))];
  for (const base of bases) await waitUntilRead(call, base, byMeaning);
  await stop();
  return { id, squads, environment, byMeaning };
}
