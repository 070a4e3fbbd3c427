import { Injectable } from '@nestjs/common';
import { ClosedDocuments } from '../documents/closed-documents.js';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { Watch } from '../platform/jobs/watch.js';
import { Problem } from '../platform/problems/problem.js';

/** An answer that is being written for a dashboard user. */
export interface MembersAnswer {
  readonly user: DashboardUser;
  readonly kbId: string;
  /** In whose name it was asked. */
  readonly principals: Principals;
  /** The documents that the model has passages of. */
  readonly documentIds: readonly string[];
}

/**
 * Aborts answers that are being written for somebody who is no longer a member, or has left a group by
 * which they read a document that the answer rests on.
 */
@Injectable()
export class MemberWatch extends Watch {
  private readonly watched = new Map<AbortController, MembersAnswer>();

  constructor(
    private readonly access: KnowledgeBaseAccess,
    private readonly closed: ClosedDocuments,
  ) {
    super();
  }

  /** The signal's reason is a Problem. */
  watch(answer: MembersAnswer): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController();
    this.watched.set(controller, answer);
    return { signal: controller.signal, stop: () => this.watched.delete(controller) };
  }

  /** @throws Problem `not_found`, `access_changed` */
  async require({ user, kbId, principals, documentIds }: MembersAnswer): Promise<void> {
    await this.access.requireMember(user, kbId);
    const before = user.access?.pushedGroups ?? [];
    if (before.length === 0) return;
    const now = new Set(await this.access.pushedGroups(user, kbId));
    const left = new Set(before.filter((group) => !now.has(group)));
    if (left.size === 0) return;
    const remaining = principals.filter((principal) => !left.has(principal));
    const closed = await this.closed.among(kbId, documentIds, () => remaining);
    if (closed.size > 0) throw new Problem('access_changed');
  }

  protected override hasNone(): boolean {
    return this.watched.size === 0;
  }

  protected override async look(): Promise<void> {
    await this.each([...this.watched], async ([controller, answer]) => {
      await this.require(answer).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        controller.abort(error);
      });
    });
  }
}
