import { basename } from 'node:path';
import { Logger } from '@nestjs/common';
import { RareWarning } from '../../platform/telemetry/rare-warning.js';
import { WorkerPool } from '../../platform/jobs/worker-pool.js';
import { FairLimiter } from '../../knowledge-bases/fair-limiter.js';
import type { FairShare } from '../../knowledge-bases/fair-share-lookup.js';
import type { Embeddings } from './embeddings.js';
import type { Purpose } from '@latchkey/embeddings/local-model';
import { LocalModelError } from '@latchkey/embeddings/local-model-error';
import type {
  LocalModelAnswer,
  LocalModelFolder,
  LocalModelRequest,
} from './local-model.worker.js';

/** If the model fails for this text too, the model is broken; otherwise the text is the cause. */
const PROBE_TEXT = 'text';

type Pool = WorkerPool<LocalModelRequest, LocalModelAnswer>;

/**
 * Computes vectors with a model in a thread of this process. Failures are logged. The thread gets one
 * text at a time, so a question waits for one passage at most. Questions take turns by user.
 */
export class LocalEmbeddings implements Embeddings {
  private readonly warning = new RareWarning(new Logger(LocalEmbeddings.name));
  private readonly questions = new FairLimiter(1);
  /** Why the model no longer works, for example because its thread died and its files are gone. */
  problem: string | undefined;

  private constructor(
    private readonly path: string,
    private readonly timeoutMs: number,
    private readonly pool: Pool,
    readonly model: string,
    /** The model file. It is needed again only if the thread restarts. */
    readonly file: string,
  ) {}

  /**
   * @param timeoutMs how long a question waits for its vector
   * @throws LocalModelError when the model cannot be used
   */
  static async load(path: string, timeoutMs: number): Promise<LocalEmbeddings> {
    const workerData: LocalModelFolder = { path };
    const pool: Pool = new WorkerPool(new URL('./local-model.worker.js', import.meta.url), {
      workerData,
      maxThreads: 1,
      idleTimeout: Infinity,
    });
    try {
      const answer = await pool.run({ describe: true });
      if ('hash' in answer) {
        return new LocalEmbeddings(path, timeoutMs, pool, `onnx:${answer.hash}`, answer.file);
      }
      throw new LocalModelError('problem' in answer ? answer.problem : 'it gives no vectors');
    } catch (error) {
      await pool.destroy();
      throw error;
    }
  }

  get description(): string {
    return `local:${basename(this.path)}`;
  }

  async embedQuestion(question: string, fairShare: FairShare): Promise<Float32Array | undefined> {
    const [vector] = await this.embedInTime([question], 'question', fairShare);
    return vector;
  }

  embedSentences(texts: readonly string[], fairShare: FairShare, signal?: AbortSignal) {
    return this.embedInTime(texts, 'passages', fairShare, signal);
  }

  /** @returns the vectors that were computed in time, in the order of the texts */
  private async embedInTime(
    texts: readonly string[],
    purpose: Purpose,
    fairShare: FairShare,
    signal?: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    const waiting = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // A timer may come a millisecond before the clock.
    const over = new AbortController();
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        over.abort();
        resolve(undefined);
      }, this.timeoutMs);
    });
    const deadline = Date.now() + this.timeoutMs;
    const vectors: (Float32Array | undefined)[] = [];
    try {
      for (const text of texts) {
        if (signal?.aborted) break;
        const vector = this.questions.run(fairShare, waiting.signal, () =>
          this.embed(text, purpose, deadline),
        );
        vectors.push(await Promise.race([vector, timeout]));
        if (over.signal.aborted || Date.now() >= deadline) break;
      }
    } catch (error) {
      this.warn(error);
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
    return vectors;
  }

  async embedPassages(
    texts: string[],
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[] | undefined> {
    const vectors: (Float32Array | undefined)[] = [];
    try {
      for (const text of texts) {
        if (signal.aborted) return undefined;
        vectors.push(await this.embedPassage(text));
      }
      return vectors;
    } catch (error) {
      this.warn(error);
      return undefined;
    }
  }

  /** Waits for the model: terminating the thread while it computes would crash the process. */
  async close(): Promise<void> {
    await this.pool.run({ end: true }).catch(() => undefined);
    await this.pool.destroy();
  }

  /** @returns undefined for a text that the model rejects */
  private async embedPassage(text: string): Promise<Float32Array | undefined> {
    try {
      return await this.embed(text, 'passages');
    } catch (error) {
      if (this.problem !== undefined) throw error;
      this.warn(error);
      return undefined;
    }
  }

  private async embed(
    text: string,
    purpose: Purpose,
    deadline = Infinity,
  ): Promise<Float32Array | undefined> {
    const answer = await this.pool
      .run({ text, purpose, deadline })
      .catch(async (error: unknown) => {
        if (text === PROBE_TEXT) this.problem = toMessage(error);
        else await this.embed(PROBE_TEXT, purpose);
        throw error;
      });
    this.problem = 'problem' in answer ? answer.problem : undefined;
    if (this.problem !== undefined) throw new Error(this.problem);
    return 'vector' in answer ? answer.vector : undefined;
  }

  private warn(error: unknown): void {
    this.warning.log(`No embeddings; searching by words only: ${toMessage(error)}`);
  }
}

const toMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
