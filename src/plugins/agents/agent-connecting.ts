import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiKeyAdmission, mergeScopes, toGrants } from '../../api-keys/api-key-admission.js';
import { ApiKeyIssuer } from '../../api-keys/api-key-issuer.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import { type ApiKeyScope, requireScope } from '../../api-keys/scope.js';
import { isWellFormedSecret } from '../../api-keys/secret.js';
import { DashboardIdentity } from '../../knowledge-bases/dashboard-auth/dashboard-identity.js';
import {
  type DashboardRequest,
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { shownId } from '../../knowledge-bases/events/events.js';
import { KnowledgeBasesService } from '../../knowledge-bases/knowledge-bases.service.js';
import { Config } from '../../platform/config/config.js';
import { clientIp } from '../../platform/config/ip-address.js';
import { cleanCredential } from '../../platform/http/pasted-credential.js';
import { isTypeId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { AgentConnections, type Begun, PERSON_MS } from './agent-connections.js';
import type { AskingClient } from './asking-client.js';
import { OAuthStore } from './oauth-store.js';
import type { SignedInPerson } from './pages.js';
import { PersonSignIn } from './person-sign-in.js';
import type { ResourceName } from './resources.js';

/** What a client asks a person for. */
export interface Asked {
  /** The id of the page. */
  readonly uid: string;
  readonly clientId: string;
  readonly client: AskingClient;
  /** The resource indicator as the client wrote it. */
  readonly indicator: string;
  readonly resource: ResourceName;
  readonly scopes: readonly ApiKeyScope[];
}

/** Keys that one address may try in a minute. */
const FAILURES_PER_MINUTE = 20;
const MAX_CHOICES = 100;
const PAGE_MS = 60 * 60 * 1000;

/** Connects an agent to a key that a person pastes, or to a new one of the person who is signed in. */
@Injectable()
export class AgentConnecting {
  constructor(
    private readonly admission: ApiKeyAdmission,
    private readonly rateLimiter: RateLimiter,
    private readonly connections: AgentConnections,
    private readonly store: OAuthStore,
    private readonly identity: DashboardIdentity,
    private readonly knowledgeBases: KnowledgeBasesService,
    private readonly issuer: ApiKeyIssuer,
    private readonly keys: ApiKeysService,
    private readonly signIn: PersonSignIn,
    private readonly config: Config,
  ) {}

  /**
   * @param pasted what stands in the field of the form
   * @throws Problem with a detail for the person
   */
  async connectKey(asked: Asked, request: FastifyRequest, pasted: unknown): Promise<Begun> {
    const ip = clientIp(request);
    const { key, scopes } = await this.rateLimiter.limitFailures(
      'oauth-connect',
      ip,
      FAILURES_PER_MINUTE,
      async () => {
        const secret = requireSecret(pasted);
        const caller = { ip, origin: undefined, path: request.routeOptions.url ?? '' };
        const presented = await this.admission.inspect(secret, caller);
        return { ...presented, scopes: mergeScopes(toGrants(presented)) };
      },
    );
    requireScope(scopes, ['query']);
    const actor = { id: key.id, requestId: request.id };
    const granted = asked.scopes.filter((scope) => scopes.includes(scope));
    if (granted.length === 0) requireScope(scopes, [...asked.scopes]);
    const asKey = { personId: null, endUserId: null, principals: null };
    return this.claim(asked, () =>
      this.connections.begin(key.ownerId, actor, {
        ...{ apiKeyId: key.id, ...toColumns(asked), scopes: granted, ...asKey },
      }),
    );
  }

  /**
   * Connects an agent to a new key of the person who is signed in.
   *
   * @param chosen ids of knowledge bases, among other fields of the form
   * @throws Problem with a detail for the person
   */
  async connectPerson(
    asked: Asked,
    request: FastifyRequest,
    chosen: readonly string[],
  ): Promise<Begun> {
    const user = await this.authenticate(request, asked.uid);
    if (!user) throw new Problem('dashboard_authentication_required');
    const kbIds = chosen.filter((id) => isTypeId('kb', id)).slice(0, MAX_CHOICES);
    const [kbId] = kbIds;
    if (kbId === undefined) {
      throw new Problem('validation_failed', { detail: 'Choose at least one knowledge base.' });
    }
    return this.claim(asked, () => this.beginForPerson(asked, user, kbId, kbIds));
  }

  private async beginForPerson(
    asked: Asked,
    user: DashboardUser,
    kbId: string,
    kbIds: readonly string[],
  ): Promise<Begun> {
    const principals = [...getPrincipals(user)];
    const needsExpiry = this.config.KEY_POLICY_REQUIRE_EXPIRY.includes('live');
    const { id: apiKeyId } = await this.issuer.createShared(user, {
      name: asked.client.name,
      description: 'Made to connect an agent. Nobody knows its secret.',
      environment: 'live',
      kbs: kbIds.map((id) => ({ kb_id: id, scopes: [...asked.scopes] })),
      principals,
      ...(needsExpiry && { expires_at: new Date(Date.now() + PERSON_MS).toISOString() }),
    });
    const asPerson = { personId: user.id, endUserId: shownId(user), principals };
    try {
      return await this.connections.begin(kbId, user, {
        ...{ apiKeyId, ...toColumns(asked), scopes: [...asked.scopes], ...asPerson },
      });
    } catch (error) {
      await this.keys.revoke(user, apiKeyId);
      throw error;
    }
  }

  /**
   * Lets a page connect once: a form that is sent twice would make two keys. What is refused may be sent again.
   *
   * @throws Problem `not_found` for a page that has connected
   */
  private async claim(asked: Asked, connect: () => Promise<Begun>): Promise<Begun> {
    const page = `page ${asked.uid}`;
    if (!(await this.store.useOnce(page, new Date(Date.now() + PAGE_MS)))) {
      throw new Problem('not_found', {
        detail:
          'This page was used before. If the app does not go on, connect it again from there.',
      });
    }
    try {
      return await connect();
    } catch (error) {
      await this.store.take('ReplayDetection', page);
      throw error;
    }
  }

  /** The person who is signed in; undefined for nobody, and where anybody could say who they are. */
  async findPerson(request: FastifyRequest, uid: string): Promise<SignedInPerson | undefined> {
    const user = await this.authenticate(request, uid);
    // The key would have to name addresses, which only the agent knows.
    const needsAddresses = this.config.KEY_POLICY_REQUIRE_ADDRESSES.includes('live');
    if (!user || needsAddresses) return undefined;
    const { data } = await this.knowledgeBases.list(user, { limit: MAX_CHOICES });
    return {
      name: shownId(user),
      knowledgeBases: data.filter(({ role }) => role !== 'viewer'),
    };
  }

  private async authenticate(
    request: DashboardRequest,
    uid: string,
  ): Promise<DashboardUser | undefined> {
    const { mode } = this.config.dashboardAuth;
    if (mode === 'trust') return undefined;
    if (mode === 'oidc') return this.signIn.findPerson(request, uid);
    try {
      const user = await this.identity.authenticate(request);
      return user.serviceAccount ? undefined : user;
    } catch (error) {
      if (error instanceof Problem && error.getStatus() < 500) return undefined;
      throw error;
    }
  }
}

const toColumns = ({ clientId, client, resource }: Asked) => ({
  clientId,
  clientName: client.name,
  clientHost: client.host,
  resource,
});

function requireSecret(pasted: unknown): string {
  const secret = typeof pasted === 'string' ? cleanCredential(pasted) : '';
  if (isWellFormedSecret(secret)) return secret;
  const detail = /^rag_(?:client|agent|admin)_/.test(secret)
    ? 'This is no API key of a knowledge base: it begins with rag_live_ or rag_test_.'
    : 'This is no API key: it begins with rag_live_ or rag_test_, and has 57 characters.';
  throw new Problem('invalid_api_key', { detail });
}
