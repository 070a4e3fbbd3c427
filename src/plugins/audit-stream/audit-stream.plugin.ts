import type { Plugin } from '../../platform/plugins/plugin.js';
import { AuditStreamModule } from './audit-stream.module.js';
import { beginNewChain } from './begin-new-chain.js';
import { AuditBatch, AuditChainHead, AuditOutboxEvent } from './audit-stream.entity.js';

/** Writes every change to AUDIT_LOG, as lines of a chain. */
export const plugin: Plugin = {
  module: AuditStreamModule,
  entities: [AuditOutboxEvent, AuditBatch, AuditChainHead],
  afterRestore: beginNewChain,
};
