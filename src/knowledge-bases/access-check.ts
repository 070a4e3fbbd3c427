import { Injectable } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { DashboardIdentity } from '../dashboard-auth/dashboard-identity.js';
import type { DashboardRequest } from '../dashboard-auth/dashboard-user.js';
import { discardBody } from '../http/discard-body.js';
import { Problem } from '../problems/problem.js';
import { isTypeId, type TypeIdPrefix } from '../http/type-id.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';

/** A route for owners of the knowledge base; others are for every member. */
export const OwnersOnly = () => RouteConfig({ ownersOnly: true });

/** What a path such as `/api/v1/documents/:document_id` names, and whose it is. */
interface Resource {
  readonly parameter: string;
  readonly prefix: TypeIdPrefix;
  /** The knowledge base that it belongs to; undefined when there is no such thing. */
  readonly kbIdOf: (id: string) => Promise<string | undefined>;
}

/**
 * Checks who may touch a knowledge base, and what belongs to one, before any of the request's body
 * is read: a stranger's upload is refused before its bytes are. Services check again.
 */
@Injectable()
export class AccessCheck {
  /** By the first segment of the path below the prefix. */
  private readonly resources = new Map<string, Resource>();

  constructor(
    private readonly identity: DashboardIdentity,
    private readonly knowledgeBases: KnowledgeBasesService,
  ) {
    this.register('kbs', {
      parameter: 'kb_id',
      prefix: 'kb',
      kbIdOf: (id) => Promise.resolve(id),
    });
  }

  /** Called by rooms whose routes stand below a segment of their own. */
  register(segment: string, resource: Resource): void {
    this.resources.set(segment, resource);
  }

  /** @throws Problem when the user may not use the route that the request has come to */
  async check(request: DashboardRequest): Promise<void> {
    const resource = this.resources.get(request.routeOptions.url?.split('/')[3] ?? '');
    if (!resource) return;
    try {
      await this.requireAccess(request, resource);
    } catch (error) {
      discardBody(request.raw);
      throw error;
    }
  }

  private async requireAccess(
    request: DashboardRequest,
    { parameter, prefix, kbIdOf }: Resource,
  ): Promise<void> {
    const user = await this.identity.authenticate(request);
    const id = (request.params as Record<string, string>)[parameter];
    // A list, or what creates a knowledge base.
    if (id === undefined) return;
    const kbId = isTypeId(prefix, id) ? await kbIdOf(id) : undefined;
    if (kbId === undefined) throw new Problem('not_found');
    const { config } = request.routeOptions;
    if ('ownersOnly' in config) await this.knowledgeBases.requireOwner(user, kbId);
    else await this.knowledgeBases.requireMember(user, kbId);
  }
}
