import { Injectable } from '@nestjs/common';
import { ApiKeyIssuer } from '../../api-keys/api-key-issuer.js';
import { ApiKeyTransitions } from '../../api-keys/api-key-transitions.js';
import { unauthorized } from '../../api-keys/api-key-status.js';
import { lockApiKey } from '../../api-keys/find-api-key.js';
import type { HeldKey } from '../../api-keys/key-view.guard.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Problem } from '../../platform/problems/problem.js';
import { type RotatedKeyDto, toRotatedKeyDto } from './rotated-key.dto.js';

/** Rotates and ends keys for their holders. The key itself is the actor of what is recorded. */
@Injectable()
export class KeyHoldersService {
  constructor(
    private readonly issuer: ApiKeyIssuer,
    private readonly transitions: ApiKeyTransitions,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws Problem `self_rotation_off` for a key that may not, `already_rotated` or `quota_reached` */
  async rotate(
    held: HeldKey,
    requestId: string,
    request: IdempotentRequest | undefined,
  ): Promise<RotatedKeyDto> {
    const id = requireKey(held);
    return toRotatedKeyDto(await this.issuer.rotateForHolder({ id, requestId }, id, request));
  }

  /** Ends a key: once this returns, every later request with it is refused. */
  async revoke(held: HeldKey, requestId: string): Promise<void> {
    const id = requireKey(held);
    await this.unitOfWork.run(async (manager) => {
      const key = await lockApiKey(manager, id).catch((error: unknown) => {
        if (error instanceof Problem) throw unauthorized('invalid_api_key');
        throw error;
      });
      const details = { prefix: key.prefix };
      await this.transitions.apply(manager, { id, requestId }, 'revoke', key, { details });
    });
  }
}

/**
 * The id of the key that was sent itself.
 *
 * @throws Problem `insufficient_scope` for a token that stands for a key
 */
function requireKey(held: HeldKey): string {
  if ('managementKey' in held) return held.managementKey.id;
  if (!held.token) return held.key.id;
  throw new Problem('insufficient_scope', {
    detail: 'Only the key itself may do this, and no token that was made with it.',
  });
}
