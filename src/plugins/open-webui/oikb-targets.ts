import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { shownId } from '../../knowledge-bases/events/events.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { isTypeId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { OIKB, type OikbConfig } from '../sources/oikb-kind.js';
import type { SyncTarget } from '../sources/source-documents.js';
import { Source } from '../sources/source.entity.js';
import { SourcesService } from '../sources/sources.service.js';

const MEMBER = { role: 'member', lock: 'knowledge base' } as const;

/** A knowledge base, and the source in it if the client has named that. */
export interface KnowledgeTarget {
  readonly kbId: string;
  readonly sourceId?: string | undefined;
}

/**
 * Finds the source that a client's requests are about. oikb says nothing about itself: what tells its
 * configurations apart is the id that it was given, and whose credential it has.
 */
@Injectable()
export class OikbTargets {
  constructor(
    @InjectRepository(Source) private readonly sources: Repository<Source>,
    private readonly connected: SourcesService,
    private readonly access: KnowledgeBaseAccess,
  ) {}

  /** Resolves an id that a body names. @throws Problem `not_found` */
  async resolve(user: DashboardUser, id: string): Promise<KnowledgeTarget> {
    if (!isTypeId('src', id)) {
      await this.access.require(user, id, 'member');
      return { kbId: id };
    }
    const source = await this.sources.findOneBy({ id, type: OIKB });
    await this.access.require(user, source?.kbId ?? id, 'member');
    if (!source) throw new Problem('not_found');
    return { kbId: source.kbId, sourceId: id };
  }

  /** @returns undefined if the caller has connected no source yet */
  async find(user: DashboardUser, target: KnowledgeTarget): Promise<Source | undefined> {
    const { kbId, sourceId } = target;
    if (sourceId === undefined) {
      return findOwn(this.sources.manager, kbId, shownId(user));
    }
    const source = await this.sources.findOneBy({ id: sourceId, kbId });
    if (!source) throw new Problem('not_found');
    return source;
  }

  /** @throws Problem `not_found`, `source_running` if it is paused */
  async findOrConnect(user: DashboardUser, target: KnowledgeTarget): Promise<Source> {
    const { kbId } = target;
    const account = shownId(user);
    const source =
      (await this.find(user, target)) ??
      (await this.connected.findOrConnect(
        user,
        kbId,
        { type: OIKB, config: { account } },
        (manager) => findOwn(manager, kbId, account),
      ));
    requireNotPaused(source);
    return source;
  }

  /** The target of a change by the user. */
  toSyncTarget(user: DashboardUser, { id: sourceId, kbId }: Source): SyncTarget {
    return {
      ...{ kbId, sourceId, actor: user },
      authorize: async (manager) => {
        await this.access.authorize(manager, user, kbId, MEMBER);
        const source = await manager.findOneBy(Source, { id: sourceId });
        if (!source) throw new Problem('not_found');
        requireNotPaused(source);
      },
    };
  }
}

/** @throws Problem `source_running` */
export function requireNotPaused({ state }: Source): void {
  if (state !== 'paused') return;
  throw new Problem('source_running', {
    detail: 'The source is paused.',
    remedy: 'Resume it first.',
  });
}

/** @throws Problem `validation_failed` if there are several */
async function findOwn(
  manager: EntityManager,
  kbId: string,
  account: string,
): Promise<Source | undefined> {
  const sources = await manager.find(Source, { where: { kbId, type: OIKB }, order: { id: 'ASC' } });
  const [own, other] = sources.filter(
    ({ config }: { config: OikbConfig }) => config.account === account,
  );
  if (!other) return own;
  const detail =
    'Several sources have the account of this key. Send the id of one (src_…) instead of that of the knowledge base.';
  throw new Problem('validation_failed', { detail });
}
