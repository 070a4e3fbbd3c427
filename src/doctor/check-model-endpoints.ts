import { describeFailure, hostOf } from '../model-endpoints/endpoint-failure.js';
import { probeEmbeddings, probeModel } from '../model-endpoints/probe.js';
import { type Check, ok, problem } from './finding.js';

/** A model on this machine may have to be loaded first. */
const MODEL_TIMEOUT_MS = 15_000;
const EMBEDDINGS_TIMEOUT_MS = 5000;

export const checkModel: Check = async ({ model }) => {
  if (!model) return [];
  try {
    await probeModel(model, Math.min(model.timeoutMs, MODEL_TIMEOUT_MS));
    return [ok(`The model at ${hostOf(model)} answers.`)];
  } catch (error) {
    const failure = describeFailure(error, { ...model, variables: 'LLM' });
    return [problem(`LLM_BASE_URL: ${failure}`)];
  }
};

export const checkEmbeddings: Check = async ({ embeddings }) => {
  if (!embeddings) return [];
  try {
    await probeEmbeddings(embeddings, EMBEDDINGS_TIMEOUT_MS);
    return [ok(`The embeddings at ${hostOf(embeddings)} answer.`)];
  } catch (error) {
    const failure = describeFailure(error, { ...embeddings, variables: 'EMBEDDINGS' });
    return [problem(`EMBEDDINGS_BASE_URL: ${failure}: search goes by words alone.`)];
  }
};
