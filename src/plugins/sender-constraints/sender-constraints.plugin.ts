import type { Plugin } from '../../platform/plugins/plugin.js';
import { SenderConstraintsModule } from './sender-constraints.module.js';
import { UsedProof } from './used-proof.entity.js';

/** Verifies that requests come from who has the private key that a credential is bound to (RFC 9449). */
export const plugin: Plugin = { module: SenderConstraintsModule, entities: [UsedProof] };
