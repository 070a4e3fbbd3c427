import { useRef } from 'preact/hooks';
import type { components } from '@latchkey/client';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { useLoad, usePolling } from '../load.js';
import type { Document } from '../api.js';
import { number, plural } from './basics.js';

type Health = components['schemas']['HealthDto'];

const POLL_MS = 5000;

/** Says whether passages are found by words or also by meaning, and how many are embedded so far. */
export function Meaning() {
  const { kb, reload } = useKnowledgeBase();
  const health = useLoad((api, signal) => api.get('/health/ready', { signal }), 'readiness');
  const { meaning = 'off', installing } = health.value ?? {};
  const isOff = meaning === 'off';
  usePolling(health, health.value !== undefined && isOff, POLL_MS);
  usePolling({ reload }, !isOff && kb.vectors < kb.passages, POLL_MS);
  const minutes = useMinutesLeft(kb);
  if (!health.value || (!isOff && kb.passages === 0)) return null;
  return (
    <p class="quiet">
      {isOff ? withoutModel(installing) : withModel(meaning, kb)}
      {!isOff && minutes !== undefined && ` ${minutesWords(minutes)}`}
    </p>
  );
}

/** Estimates how long it takes until all passages have vectors, from how many came since the page was opened. */
function useMinutesLeft({ passages, vectors }: { passages: number; vectors: number }) {
  const first = useRef({ vectors, at: Date.now() });
  // Vectors are removed when documents are read again.
  if (vectors < first.current.vectors) first.current = { vectors, at: Date.now() };
  const added = vectors - first.current.vectors;
  if (added === 0 || vectors >= passages) return undefined;
  const msEach = (Date.now() - first.current.at) / added;
  return Math.ceil(((passages - vectors) * msEach) / 60_000);
}

const minutesWords = (minutes: number) =>
  minutes <= 1 ? 'Less than a minute is left.' : `About ${plural(minutes, 'minute')} are left.`;

/**
 * Whether passages of a document wait for their vectors. A knowledge base without any has no model, or has
 * just begun.
 */
export const useIsEmbedding = () => {
  const { kb } = useKnowledgeBase();
  return ({ status, vectors, passages }: Document): boolean =>
    kb.vectors > 0 && status === 'ready' && vectors < passages;
};

/** Says how many passages of a document can be found by meaning, until all can. */
export function MeaningProgress({ document }: { document: Document }) {
  const isEmbedding = useIsEmbedding();
  if (!isEmbedding(document)) return null;
  const { vectors, passages } = document;
  return (
    <span class="quiet">
      {number(vectors)} of {plural(passages, 'passage')} found by meaning so far
    </span>
  );
}

const withoutModel = (installing: Health['installing']) =>
  installing === undefined
    ? 'Passages are found by their words. No model finds them by their meaning: the service runs with EMBEDDINGS=off, or has none yet.'
    : `Passages are found by their words. A model that finds them by their meaning is being installed: ${installing}.`;

function withModel(meaning: string, { passages, vectors }: { passages: number; vectors: number }) {
  const model = meaning.replace(/^\w+:/, '');
  return vectors < passages
    ? `${number(vectors)} of ${plural(passages, 'passage')} can be found by meaning so far, by the model ${model}; all of them by their words.`
    : `${plural(passages, 'passage')}, found by their words and by their meaning (${model}).`;
}
