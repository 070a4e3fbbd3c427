import { Inject, Injectable } from '@nestjs/common';
import { cosineSimilarity } from '@latchkey/embeddings/vector';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import type { SmallTalk } from '@latchkey/text/small-talk';
import type { SmallTalkKind } from '@latchkey/text/small-talk-phrases';
import { EMBEDDINGS, type Embeddings } from '../documents/search/embeddings.js';
import { FairShareLookup } from '../knowledge-bases/fair-share-lookup.js';
import { QUESTION_EXAMPLES, SMALL_TALK_EXAMPLES } from './small-talk-examples.js';

/** Characters of a message; longer ones tell something. */
const MAX_LENGTH = 80;
/**
 * How much nearer a message must be to small talk than to questions, in standard deviations of the
 * similarities of the examples, which are larger in some models than in others. With multilingual-e5-small .98
 * of small talk in 25 languages is recognised, and .006 of questions are taken for it.
 */
const MIN_DIFFERENCE = 0.5;

interface Example {
  /** Undefined for a question about documents. */
  readonly kind: SmallTalkKind | undefined;
  readonly vector: Float32Array;
}

interface Examples {
  readonly model: string;
  /** Of the first examples; of all when `deviation` is there. */
  readonly vectors: Example[];
  deviation?: number;
}

/**
 * Recognises small talk that no list of phrases has, in any language that the embedding model knows: a message
 * that is nearer to examples of small talk than to examples of questions.
 */
@Injectable()
export class SmallTalkByMeaning {
  private examples: Examples | undefined;
  private isPreparing = false;

  constructor(
    @Inject(EMBEDDINGS) private readonly embeddings: Embeddings | null,
    private readonly fairShares: FairShareLookup,
  ) {}

  /**
   * @param kbId whose owner's turn is used
   * @returns undefined for a question; without a model, until its examples have vectors, and if it fails
   */
  async detect(kbId: string, message: string): Promise<SmallTalk | undefined> {
    const model = this.embeddings?.model;
    // An endpoint would be asked for each example, and may charge for them.
    if (!this.embeddings?.embedSentences || model === undefined) return;
    if (message.trim().length > MAX_LENGTH) return;
    const { examples } = this;
    if (examples?.model !== model || examples.deviation === undefined) {
      void this.prepare(kbId, model);
      return;
    }
    const fairShare = await this.fairShares.findFairShare(kbId);
    const vector = await this.embeddings.embedQuestion(message, fairShare);
    if (!vector) return;
    const compared = examples.vectors
      .map(({ kind, vector: example }) => ({ kind, similarity: cosineSimilarity(vector, example) }))
      .sort((one, other) => other.similarity - one.similarity);
    const [nearest] = compared;
    const question = compared.find(({ kind }) => kind === undefined);
    if (!nearest?.kind || !question) return;
    const difference = nearest.similarity - question.similarity;
    if (difference < MIN_DIFFERENCE * examples.deviation) return;
    return { kind: nearest.kind, language: detectQuestionLanguage(message) };
  }

  /**
   * Makes the vectors of the examples, one after the other, so that questions are not held up by them. After a
   * failure the next message goes on with those that are missing.
   */
  private async prepare(kbId: string, model: string): Promise<void> {
    if (this.isPreparing) return;
    this.isPreparing = true;
    try {
      const fairShare = await this.fairShares.findFairShare(kbId);
      if (this.examples?.model !== model) this.examples = { model, vectors: [] };
      const { examples } = this;
      for (const { kind, text } of EXAMPLES.slice(examples.vectors.length)) {
        const vector = await this.embeddings?.embedQuestion(text, fairShare);
        if (!vector || this.embeddings?.model !== model) return;
        examples.vectors.push({ kind, vector });
      }
      examples.deviation = computeDeviation(examples.vectors);
    } catch {
      // Too many questions wait; the next message of this kind tries again.
    } finally {
      this.isPreparing = false;
    }
  }
}

const EXAMPLES = [
  ...Object.entries(SMALL_TALK_EXAMPLES).flatMap(([kind, texts]) =>
    texts.map((text) => ({ kind: kind as SmallTalkKind, text })),
  ),
  ...QUESTION_EXAMPLES.map((text) => ({ kind: undefined, text })),
];

/** The standard deviation of the similarities between examples. */
function computeDeviation(examples: readonly Example[]): number {
  const all = examples.flatMap(({ vector }, index) =>
    examples.slice(index + 1).map((other) => cosineSimilarity(vector, other.vector)),
  );
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  return Math.sqrt(all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / all.length);
}
