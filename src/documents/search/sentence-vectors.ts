import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Window } from '@latchkey/embeddings/windows';
import {
  compareWindows,
  storeWindows,
  type WindowVector,
} from '@latchkey/embeddings/window-vectors';
import type { PassageWindow, QuestionEmbedding } from '@latchkey/ranking/search-index';
import type { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { RareWarning } from '../../platform/telemetry/rare-warning.js';
import type { Embeddings } from './embeddings.js';
import type { StoredSentences, VectorStore } from './vector-store.js';

type Place = Pick<Window, 'start' | 'end'>;

/** How many questions' vectors wait to be stored, or are being stored. Those of further ones are not kept. */
const MAX_WAITING = 4;

/** Sentences of a found passage. */
export interface PassageSentences {
  readonly passageId: string;
  readonly sentences: readonly Window[];
}

/**
 * Compares sentences of found passages with a question. Their vectors are computed when a question needs them,
 * since most passages are never quoted, and are kept for the next question.
 */
export class SentenceVectors implements OnApplicationShutdown {
  private readonly warning = new RareWarning(new Logger(SentenceVectors.name));
  /** Ends when all are stored. */
  private storing: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly embeddings: Embeddings | null,
    private readonly store: Pick<VectorStore, 'findSentences' | 'storeSentences'>,
    private readonly fairShares: FairShareLookup,
  ) {}

  /** Whether sentences can be compared with a question that has these vectors. */
  canCompare(embedding: QuestionEmbedding | undefined): embedding is QuestionEmbedding {
    const { model, asked, whole = asked } = embedding ?? {};
    return (
      whole !== undefined &&
      model === this.embeddings?.model &&
      this.embeddings?.embedSentences !== undefined
    );
  }

  /**
   * @param signal aborted when the client disconnects; no more vectors are computed then
   * @returns these sentences by the id of their passage; those whose vectors would take too long are missing
   */
  async compare(
    kbId: string,
    { model, asked, whole = asked }: QuestionEmbedding,
    passages: readonly PassageSentences[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly PassageWindow[]>> {
    const chosen = passages.filter(({ sentences }) => sentences.length > 0);
    const ids = chosen.map(({ passageId }) => passageId);
    const stored = await this.store.findSentences(model, ids);
    const added = await this.embed(
      kbId,
      chosen.map((one) => withoutStored(one, stored)),
      signal,
    );
    const grown = new Map<string, StoredSentences>();
    const compared = new Map<string, readonly PassageWindow[]>();
    for (const { passageId, sentences } of chosen) {
      const windows = added.get(passageId) ?? [];
      const all = join(stored.get(passageId), windows);
      if (windows.length > 0) grown.set(passageId, all);
      if (!whole) continue;
      // Further sentences were stored for other questions, on which no answer may depend.
      const places = toPlaces(sentences);
      const own = toPassageWindows(all, asked ?? whole, whole).filter((one) =>
        places.has(toPlace(one)),
      );
      compared.set(passageId, own);
    }
    if (grown.size > 0) this.keep(model, grown);
    return compared;
  }

  /** Waits until the vectors of the last questions are stored. */
  async onApplicationShutdown(): Promise<void> {
    await this.storing;
  }

  private async embed(
    kbId: string,
    passages: readonly PassageSentences[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, readonly WindowVector[]>> {
    const missing = passages.flatMap(({ passageId, sentences }) =>
      sentences.map((sentence) => ({ ...sentence, passageId })),
    );
    if (missing.length === 0) return new Map();
    const texts = missing.map(({ embedded }) => embedded);
    const fairShare = await this.fairShares.findFairShare(kbId);
    const vectors = (await this.embeddings?.embedSentences?.(texts, fairShare, signal)) ?? [];
    const embedded = missing.flatMap((sentence, index) => {
      const vector = vectors[index];
      return vector ? [{ ...sentence, vector }] : [];
    });
    return Map.groupBy(embedded, ({ passageId }) => passageId);
  }

  /** Nobody waits for it, one write at a time: a vector that is not stored is computed again. */
  private keep(model: string, passages: ReadonlyMap<string, StoredSentences>): void {
    if (this.waiting >= MAX_WAITING) return;
    this.waiting++;
    this.storing = this.storing
      .then(() => this.store.storeSentences(model, passages))
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.warning.log(`Vectors of sentences cannot be stored: ${reason}`);
      })
      .finally(() => this.waiting--);
  }
}

/** Leaves out the sentences whose vectors are stored. */
function withoutStored(
  { passageId, sentences }: PassageSentences,
  stored: ReadonlyMap<string, StoredSentences>,
): PassageSentences {
  const found = stored.get(passageId);
  const places = toPlaces(found ? compareWindows(found, []) : []);
  return { passageId, sentences: sentences.filter((one) => !places.has(toPlace(one))) };
}

const toPlace = ({ start, end }: Place): string => `${start} ${end}`;

const toPlaces = (some: readonly Place[]): ReadonlySet<string> => new Set(some.map(toPlace));

function join(
  stored: StoredSentences | undefined,
  added: readonly WindowVector[],
): StoredSentences {
  const { places, vectors } = storeWindows(added);
  return {
    places: Buffer.concat([stored?.places ?? new Uint8Array(), places]),
    vectors: Buffer.concat([stored?.vectors ?? new Uint8Array(), vectors]),
  };
}

const toPassageWindows = (
  sentences: StoredSentences,
  asked: Float32Array,
  whole: Float32Array,
): PassageWindow[] =>
  compareWindows(sentences, [asked, whole]).map(({ start, end, similarities }) => {
    const [toAsked = -1, toWhole = toAsked] = similarities;
    return { start, end, toAsked, toWhole };
  });
