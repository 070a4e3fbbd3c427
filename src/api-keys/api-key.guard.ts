import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientIp } from '../platform/config/ip-address.js';
import { cleanCredential, parseApiKey } from '../platform/http/pasted-credential.js';
import type { AnsweredRequest } from '../platform/http/answered-request.js';
import { invalidField, Problem } from '../platform/problems/problem.js';
import { ApiKeyAdmission } from './api-key-admission.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import type { Caller } from './api-key-status.js';
import { isRefusal, KeyUses, toUsedKey } from './key-uses.js';
import { quotaHeaders } from './rate-limiter.js';
import type { PartnerRoute } from './scope.js';

export type ApiKeyRequest = AnsweredRequest & { apiKey?: ApiKeyPrincipal };

/**
 * Authenticates a partner's request by its API key or client token, and counts it as a use of the key or as
 * a refusal.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly admission: ApiKeyAdmission,
    private readonly uses: KeyUses,
  ) {}

  /** @throws Problem as ApiKeyAdmission.admit */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiKeyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const route = request.routeOptions.config as unknown as Partial<PartnerRoute>;
    const { scopes, readsBodyLast: isInHeader = false } = route;
    if (!scopes) throw new Error(`${String(request.routeOptions.url)} needs RequiresScope`);
    const caller = toCaller(request, reply);
    const credential = readCredential(request, isInHeader);
    const { principal, quotas, admittedAt } = await this.admission
      .admit(credential, caller, scopes, (keyId) => {
        request.provedActor = keyId;
      })
      .catch((error: unknown) => {
        // Pages of every origin may read a refusal, except pages of an origin that is not allowed.
        if (error instanceof Problem && error.code === 'origin_not_allowed') {
          void reply.removeHeader('access-control-allow-origin');
        }
        throw error;
      });
    request.apiKey = { ...principal, requestId: request.id };
    reply.headers(quotaHeaders(...quotas));
    // An interceptor would take a quarter of the request's time. `close` is also emitted when the
    // client disconnects during its answer, which counts as a use of the key too.
    reply.raw.once('close', () => {
      const { headersSent, statusCode } = reply.raw;
      if (!headersSent) return;
      const { connectionId } = principal;
      const event = { key: toUsedKey(principal), connectionId, at: admittedAt, ip: caller.ip };
      if (statusCode < 400) this.uses.record({ kind: 'use', ...event, count: 1 });
      if (isRefusal(statusCode)) {
        this.uses.record({ kind: 'refusal', ...event, isKeyInactive: false, count: 1 });
      }
    });
    return true;
  }
}

export const toCaller = (request: FastifyRequest, reply: FastifyReply): Caller => ({
  ip: clientIp(request),
  origin: request.headers.origin,
  path: request.routeOptions.url ?? '',
  exchange: { request, reply },
});

/** @throws Problem `validation_failed` when header and body have different credentials */
function readCredential({ headers, body }: ApiKeyRequest, isInHeader: boolean): unknown {
  const bearer = parseApiKey(headers.authorization);
  const field = isInHeader ? undefined : bodyField(body, 'api_key');
  const inBody = typeof field === 'string' ? cleanCredential(field) : field;
  if (bearer !== undefined && inBody !== undefined && inBody !== bearer) {
    throw invalidField('api_key', 'api_key and the header Authorization must not differ');
  }
  return bearer ?? inBody;
}

/** Guards run before pipes, so the body may be any JSON value. */
function bodyField(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined;
}

export const CurrentApiKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { apiKey } = context.switchToHttp().getRequest<ApiKeyRequest>();
  if (!apiKey) throw new Error('CurrentApiKey needs ApiKeyGuard');
  return apiKey;
});
