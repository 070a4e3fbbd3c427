import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { standsAlone } from '@latchkey/quoting/follow-up';
import { meansTheSame, type QuestionForm, toQuestionForm } from '@latchkey/quoting/same-question';
import type { SingleQuestion } from '@latchkey/quoting/separate-questions';
import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { CuratedAnswer } from './curated-answer.entity.js';

/**
 * The number of questions that a process caches, of all knowledge bases. With vectors, each takes two
 * kilobytes.
 */
const MAX_KEPT = 50_000;
/** The number of questions that are analysed before other work of the process goes on. */
const PART = 100;

/** The language and the normalised form of a question. */
interface Analysis {
  readonly language: string | null;
  readonly form: QuestionForm;
}

interface CuratedQuestion extends Analysis {
  readonly answerId: string;
  readonly written: string;
  readonly model: string | null;
  readonly vector: Float32Array | undefined;
}

interface Kept {
  readonly version: number;
  readonly questions: Promise<ByLanguage>;
  /** The number of questions; 0 until they are read. */
  count: number;
}

/** The questions of a knowledge base by their language, those of the newest answers first. */
type ByLanguage = ReadonlyMap<string | null, readonly CuratedQuestion[]>;

/** Finds the curated answers to a question. A process reads them once after each change. */
@Injectable()
export class CuratedQuestions {
  /** The cached questions by knowledge base, the most recently used last. */
  private readonly kept = new Map<string, Kept>();

  constructor(
    @InjectRepository(CuratedAnswer) private readonly answers: Repository<CuratedAnswer>,
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
  ) {}

  /** The versions of the curated answers by knowledge base; 0 if there never were any. */
  async readVersions(kbIds: readonly string[]): Promise<Map<string, number>> {
    const select = { id: true, curatedVersion: true } as const;
    const rows = await this.knowledgeBases.find({ select, where: { id: In(kbIds) } });
    return new Map(rows.map(({ id, curatedVersion }) => [id, curatedVersion]));
  }

  /** Finds the answers to a question in the same words. */
  async findByWords(kbId: string, version: number, asked: SingleQuestion): Promise<string[]> {
    const { context } = asked;
    return [...(await this.load(kbId, version))].flatMap(([language, questions]) => {
      const alone = isWhole(asked) ? toQuestionForm(asked.asked, language).key : undefined;
      const completed =
        context.length === 0 ? undefined : toQuestionForm(asked.asked, language, context).unordered;
      return questions
        .filter(({ form }) => form.key === alone || form.unordered === completed)
        .map(({ answerId }) => answerId);
    });
  }

  /**
   * Finds the answers to a question of the same meaning, the nearest first. A follow-up is compared by its
   * words only, because its vector would also contain the question before.
   *
   * @param model of embeddings
   * @param embed makes the vector of a question
   */
  async findByMeaning(
    kbId: string,
    version: number,
    asked: SingleQuestion,
    model: string,
    embed: (text: string) => Promise<Float32Array | undefined>,
  ): Promise<string[]> {
    if (!isWhole(asked)) return [];
    const byLanguage = await this.load(kbId, version);
    const isComparable = (question: CuratedQuestion) => question.model === model;
    if (![...byLanguage.values()].some((some) => some.some(isComparable))) return [];
    const vector = await embed(asked.asked);
    if (!vector) return [];
    const found = [...byLanguage].flatMap(([language, questions]) => {
      const form = toQuestionForm(asked.asked, language);
      return questions.filter(isComparable).flatMap((question) => {
        const similarity = dotProduct(vector, question.vector);
        const isSame = meansTheSame(form, question.form, similarity);
        return isSame ? [{ id: question.answerId, similarity }] : [];
      });
    });
    return found.sort((one, other) => other.similarity - one.similarity).map(({ id }) => id);
  }

  private load(kbId: string, version: number): Promise<ByLanguage> {
    const before = this.kept.get(kbId);
    this.kept.delete(kbId);
    const isCurrent = before !== undefined && before.version >= version;
    const kept = isCurrent
      ? before
      : { version, questions: this.readQuestions(kbId, before), count: 0 };
    this.kept.set(kbId, kept);
    if (!isCurrent) void this.keep(kbId, kept);
    return kept.questions;
  }

  /** Removes the entry if it cannot be read, and the oldest entries if there are too many questions. */
  private async keep(kbId: string, kept: Kept): Promise<void> {
    try {
      const questions = await kept.questions;
      kept.count = [...questions.values()].reduce((sum, some) => sum + some.length, 0);
    } catch {
      if (this.kept.get(kbId) === kept) this.kept.delete(kbId);
    }
    let count = [...this.kept.values()].reduce((sum, one) => sum + one.count, 0);
    for (const [oldest, { count: own }] of this.kept) {
      if (count <= MAX_KEPT || this.kept.size === 1) return;
      this.kept.delete(oldest);
      count -= own;
    }
  }

  /** @param before what of it was read last: most questions are still the same */
  private async readQuestions(kbId: string, before: Kept | undefined): Promise<ByLanguage> {
    const known = await listAnalyses(before);
    const rows = await this.answers.find({
      select: { id: true, questions: true, model: true, vectors: true },
      where: { kbId },
      order: { id: 'DESC' },
    });
    const byLanguage = new Map<string | null, CuratedQuestion[]>();
    let analysed = 0;
    for (const { id, questions, model, vectors } of rows) {
      for (const [index, written] of questions.entries()) {
        const analysis = known.get(written) ?? analyse(written);
        if (!known.has(written) && ++analysed % PART === 0) await setImmediate();
        const same = byLanguage.get(analysis.language) ?? [];
        byLanguage.set(analysis.language, same);
        same.push({
          ...analysis,
          answerId: id,
          written,
          model,
          vector: vectors ? vectorAt(vectors, index, questions.length) : undefined,
        });
      }
    }
    return byLanguage;
  }
}

function analyse(written: string): Analysis {
  const question = findAskedSentences(written);
  const language = detectQuestionLanguage(question) ?? null;
  return { language, form: toQuestionForm(question, language) };
}

/** The analyses of cached questions, by their original text. */
async function listAnalyses(kept: Kept | undefined): Promise<Map<string, Analysis>> {
  const questions = await kept?.questions.catch(() => undefined);
  const all = [...(questions?.values() ?? [])].flat();
  return new Map(all.map(({ written, language, form }) => [written, { language, form }]));
}

const isWhole = ({ asked, context }: SingleQuestion): boolean =>
  context.length === 0 || standsAlone(asked);

/** The bytes are copied, because those of a row may not be aligned for floats. */
function vectorAt(vectors: Buffer, index: number, count: number): Float32Array {
  const bytes = vectors.length / count;
  const own = Uint8Array.from(vectors.subarray(index * bytes, (index + 1) * bytes));
  return new Float32Array(own.buffer);
}

function dotProduct(one: Float32Array, other: Float32Array | undefined): number {
  let sum = 0;
  if (other?.length !== one.length) return sum;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
