import {
  CanActivate,
  createParamDecorator,
  ExecutionContext,
  Injectable,
  Optional,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ManagementKeys,
  type ShownManagementKey,
} from '../knowledge-bases/dashboard-auth/management-keys.js';
import { parseApiKey } from '../platform/http/pasted-credential.js';
import { Problem } from '../platform/problems/problem.js';
import { ApiKeyAdmission, type PresentedApiKey } from './api-key-admission.js';
import { unauthorized } from './api-key-status.js';
import { toCaller } from './api-key.guard.js';
import { MemoryLimit } from './memory-limit.js';
import { isManagementSecret } from './secret.js';

/** A key that is shown to its holder. */
export type HeldKey = PresentedApiKey | { readonly managementKey: ShownManagementKey };

type KeyViewRequest = FastifyRequest & { heldKey?: HeldKey };

const VIEWS_PER_MINUTE = 120;

/**
 * Authenticates a key of any kind without counting it as a use: nothing is written or taken from its
 * limits.
 */
@Injectable()
export class KeyViewGuard implements CanActivate {
  /** The views are counted in memory, because counting them in the database would be a write. */
  private readonly views = new MemoryLimit(VIEWS_PER_MINUTE);

  constructor(
    private readonly admission: ApiKeyAdmission,
    @Optional() private readonly managementKeys?: ManagementKeys,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<KeyViewRequest>();
    const reply = http.getResponse<FastifyReply>();
    try {
      request.heldKey = await this.authenticate(request, reply);
    } catch (error) {
      // Pages of every origin may read a refusal, except pages of an origin that is not allowed.
      if (error instanceof Problem && error.code === 'origin_not_allowed') {
        void reply.removeHeader('access-control-allow-origin');
      }
      throw error;
    }
    await this.countView(request.heldKey);
    return true;
  }

  private async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<HeldKey> {
    const credential = parseApiKey(request.headers.authorization);
    if (credential === undefined) throw unauthorized('api_key_required');
    const caller = toCaller(request, reply);
    if (this.managementKeys && isManagementSecret(credential)) {
      return { managementKey: await this.managementKeys.inspect(credential, caller.ip) };
    }
    return this.admission.inspect(credential, caller);
  }

  /** @throws Problem `rate_limited` */
  private async countView(held: HeldKey): Promise<void> {
    const subject =
      'managementKey' in held
        ? held.managementKey.id
        : `${held.key.id} ${held.token?.endUserId ?? ''}`;
    await this.views.consume(subject);
  }
}

export const CurrentHeldKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { heldKey } = context.switchToHttp().getRequest<KeyViewRequest>();
  if (!heldKey) throw new Error('CurrentHeldKey needs KeyViewGuard');
  return heldKey;
});
