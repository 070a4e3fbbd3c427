import { Injectable } from '@nestjs/common';
import { ApiKeyWatch } from '../api-keys/api-key-watch.js';
import { ClosedDocuments, toldIn } from '../documents/closed-documents.js';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { Watch } from '../platform/jobs/watch.js';
import { Problem } from '../platform/problems/problem.js';

/** An answer that is being written, and for whom. */
export interface WatchedAnswer {
  readonly kbId: string;
  readonly principals: Principals;
  /** The key, if it asked in its own name: its principals are those that it has at each moment. */
  readonly keyId: string | undefined;
  /** The documents that the model has passages or earlier answers of. */
  readonly documentIds: readonly string[];
}

interface RunningAnswer extends WatchedAnswer {
  readonly controller: AbortController;
  /** The versions of the rules by which it may go on; undefined before they were asked. */
  versions: string | undefined;
}

/**
 * Aborts answers that are being written when a document that they rest on is closed to those who asked.
 * One query a second reads whether any rules have changed.
 */
@Injectable()
export class RuleWatch extends Watch {
  private readonly watched = new Set<RunningAnswer>();

  constructor(
    private readonly closed: ClosedDocuments,
    private readonly apiKeys: ApiKeyWatch,
  ) {
    super();
  }

  /** The signal's reason is a Problem. */
  watch(answer: WatchedAnswer): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController();
    const watch: RunningAnswer = { ...answer, controller, versions: undefined };
    this.watched.add(watch);
    return { signal: controller.signal, stop: () => this.watched.delete(watch) };
  }

  /** @throws Problem `access_changed` */
  async require({ kbId, documentIds, keyId, ...asked }: WatchedAnswer): Promise<void> {
    const principals = keyId ? await this.apiKeys.principalsOf(keyId) : asked.principals;
    const closed = await this.closed.among(kbId, documentIds, () => principals);
    if (closed.size > 0) throw new Problem('access_changed');
  }

  protected override hasNone(): boolean {
    return this.watched.size === 0;
  }

  protected override async look(): Promise<void> {
    const watches = [...this.watched];
    // Read before the documents are: a change after it is noticed by the next round.
    const current = await this.closed.versionsOf([...new Set(watches.flatMap(kbIdsOf))]);
    await this.each(watches, async (watch) => {
      // Without a knowledge base, the answer ends with its key.
      const versions = kbIdsOf(watch)
        .map((kbId) => current.get(kbId))
        .join();
      if (versions === watch.versions) return;
      await this.require(watch).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        watch.controller.abort(error);
      });
      watch.versions = versions;
    });
  }
}

const kbIdsOf = ({ kbId, documentIds }: WatchedAnswer): string[] => [
  ...new Set([kbId, ...documentIds.map((told) => toldIn(told, kbId).kbId)]),
];
