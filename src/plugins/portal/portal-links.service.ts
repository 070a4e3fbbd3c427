import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createHash, randomBytes } from 'node:crypto';
import { type FindOptionsWhere, IsNull, MoreThan, Repository } from 'typeorm';
import { keyStatus, statusProblem } from '../../api-keys/api-key-status.js';
import { ApiKeyTransitions } from '../../api-keys/api-key-transitions.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { findOpenedKbIds, lockApiKey } from '../../api-keys/find-api-key.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { newId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { PortalLink } from './portal-link.entity.js';
import type { CreatePortalLinkDto, PortalLinkDto } from './portal.dto.js';

const DEFAULT_SECONDS = 24 * 60 * 60;

/** How long the page of an opened link works. */
export const SESSION_SECONDS = 30 * 60;

/** Who acts on the page, in the audit. */
export const PORTAL = 'portal';

/** Makes the links of the portal, and opens each once. Only hashes of links and sessions are stored. */
@Injectable()
export class PortalLinksService {
  constructor(
    @InjectRepository(PortalLink) private readonly links: Repository<PortalLink>,
    private readonly apiKeys: ApiKeysService,
    private readonly transitions: ApiKeyTransitions,
    private readonly access: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param base the address of the service, without a slash at its end
   * @throws Problem `api_key_revoked` or `api_key_expired`, or `validation_failed` for a key of a service account
   */
  async create(
    user: DashboardUser,
    keyId: string,
    dto: CreatePortalLinkDto,
    base: string,
  ): Promise<PortalLinkDto> {
    const found = await this.apiKeys.find(user, keyId);
    if (found.ownerType === 'service_account') {
      throw new Problem('validation_failed', {
        detail:
          'The portal is for keys of knowledge bases, and this is a key of a service account.',
      });
    }
    // What the holder gets there opens all of the key's knowledge bases.
    const kbIds = await this.apiKeys.findKbIdsToAuthorize(user, found);
    const token = newToken();
    const { expires_in: seconds = DEFAULT_SECONDS, rotate = false, recipient = null } = dto;
    const expiresAt = await this.apiKeys.changeIn(user, kbIds, async (manager) => {
      const key = await lockApiKey(manager, keyId);
      const now = await databaseNow(manager);
      const problem = statusProblem(keyStatus(key, now));
      if (problem) throw new Problem(problem.code, { status: 409 });
      const link = {
        id: newId('link'),
        apiKeyId: keyId,
        tokenHash: toHash(token),
        recipient,
        mayRotate: rotate,
        makerId: user.id,
        makerGroups: [...user.groups],
        createdAt: now,
        expiresAt: new Date(now.getTime() + seconds * 1000),
      };
      await manager.insert(PortalLink, link);
      const details = { link_id: link.id, recipient, rotate, prefix: key.prefix };
      await this.transitions.record(manager, user, 'api_key.portal_link_created', key, details);
      return link.expiresAt;
    });
    return { url: `${base}/portal#${token}`, expires_at: expiresAt.toISOString() };
  }

  /**
   * Finds a link that can still be opened, without opening it.
   *
   * @throws Problem `portal_link_ended`, or a 401 for a key that has ended
   */
  async find(token: string): Promise<PortalLink> {
    const now = await databaseNow(this.links.manager);
    const link = requireOpenable(await this.read({ tokenHash: toHash(token) }), now);
    if (await this.isMadeByMember(link)) return link;
    throw new Problem('portal_link_ended', {
      detail: 'Whoever made the link may not change the key any more.',
    });
  }

  /**
   * Opens a link: of parallel requests, one does.
   *
   * @returns the session, for the cookie
   * @throws Problem as `find`
   */
  async open(token: string, { ip, requestId }: { ip: string; requestId: string }): Promise<string> {
    const session = newToken();
    const { id, recipient, apiKey } = await this.find(token);
    const isOpened = await this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      const { affected } = await manager.update(
        PortalLink,
        { id, openedAt: IsNull(), expiresAt: MoreThan(now) },
        { openedAt: now, sessionHash: toHash(session) },
      );
      if (affected !== 1) return false;
      const details = { link_id: id, recipient, ip, prefix: apiKey.prefix };
      const actor = { id: PORTAL, requestId };
      await this.transitions.record(manager, actor, 'api_key.portal_opened', apiKey, details);
      return true;
    });
    // Another request was first.
    if (!isOpened) await this.find(token);
    return session;
  }

  /**
   * @param options.admitsReplaced whether the key may have expired since it was rotated
   * @returns the link that was opened, with its key
   * @throws Problem `portal_session_required`, or a 401 for a key that has ended
   */
  async findOpened(
    session: string | undefined,
    { admitsReplaced }: { readonly admitsReplaced: boolean },
  ): Promise<PortalLink & { readonly openedAt: Date }> {
    const link =
      session === undefined ? undefined : await this.read({ sessionHash: toHash(session) });
    const now = await databaseNow(this.links.manager);
    const openedAt = link?.openedAt;
    if (!link || !openedAt || toSessionEnd(openedAt) <= now || !(await this.isMadeByMember(link))) {
      throw new Problem('portal_session_required');
    }
    const { apiKey } = link;
    const isReplaced = apiKey.rotatedTo !== null && keyStatus(apiKey, now) === 'expired';
    if (!admitsReplaced || !isReplaced) requireUsable(link, now);
    return { ...link, openedAt };
  }

  /** Whether who made a link may still change its key, in all that it opens. */
  private async isMadeByMember({ makerId: id, makerGroups, apiKey }: PortalLink): Promise<boolean> {
    const maker = { id, groups: makerGroups, requestId: '' };
    for (const kbId of await findOpenedKbIds(this.links.manager, apiKey)) {
      const role = await this.access.findRole(maker, kbId);
      if (role === undefined || role === 'viewer') return false;
    }
    return true;
  }

  private async read(where: FindOptionsWhere<PortalLink>): Promise<PortalLink | undefined> {
    const found = await this.links.findOne({
      where,
      relations: { apiKey: true },
      withDeleted: true,
    });
    return found ?? undefined;
  }
}

export const toSessionEnd = (openedAt: Date): Date =>
  new Date(openedAt.getTime() + SESSION_SECONDS * 1000);

const newToken = () => randomBytes(32).toString('base64url');

const toHash = (token: string) => createHash('sha256').update(token).digest('base64url');

/** @throws Problem a 401 */
function requireUsable({ apiKey }: PortalLink, now: Date): void {
  const problem = statusProblem(keyStatus(apiKey, now));
  if (problem) throw problem;
}

/** @throws Problem `portal_link_ended`, or a 401 */
function requireOpenable(link: PortalLink | undefined, now: Date): PortalLink {
  if (!link) throw new Problem('portal_link_ended', { detail: 'There is no such link.' });
  if (link.openedAt) {
    const extensions = { opened_at: link.openedAt.toISOString() };
    throw new Problem('portal_link_ended', { detail: 'The link was opened before.', extensions });
  }
  if (link.expiresAt <= now) {
    throw new Problem('portal_link_ended', { detail: 'The link has expired.' });
  }
  requireUsable(link, now);
  return link;
}
