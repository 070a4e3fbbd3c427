import { Injectable } from '@nestjs/common';
import {
  ApiKeyIssuer,
  type HolderRotation,
  type SelfRotated,
} from '../../api-keys/api-key-issuer.js';
import { unauthorized } from '../../api-keys/api-key-status.js';
import { ApiKeyTransitions } from '../../api-keys/api-key-transitions.js';
import { lockApiKey } from '../../api-keys/find-api-key.js';
import type { Actor } from '../../knowledge-bases/events/event.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/problems/problem.js';

/** Rotates and ends keys for their holders. */
@Injectable()
export class KeyHoldersService {
  constructor(
    private readonly issuer: ApiKeyIssuer,
    private readonly transitions: ApiKeyTransitions,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws Problem as ApiKeyIssuer.rotateForHolder */
  rotate(actor: Actor, keyId: string, rotation: HolderRotation): Promise<SelfRotated> {
    return this.issuer.rotateForHolder(actor, keyId, rotation);
  }

  /** Ends a key: once this returns, every later request with it is refused. */
  async revoke(actor: Actor, keyId: string, details: object = {}): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const key = await lockApiKey(manager, keyId).catch((error: unknown) => {
        if (error instanceof Problem) throw unauthorized('invalid_api_key');
        throw error;
      });
      const all = { prefix: key.prefix, ...details };
      await this.transitions.apply(manager, actor, 'revoke', key, { details: all });
    });
  }
}
