import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sqlParameter } from '../platform/database/dialect.js';
import { Config } from '../platform/config/config.js';
import { quotaReached } from '../platform/problems/problem.js';

/** The change in size of a knowledge base; negative if it shrinks. */
interface SizeChange {
  readonly documents: number;
  readonly bytes: number;
}

/** Enforces the quotas of a knowledge base. */
@Injectable()
export class DocumentQuotas {
  constructor(private readonly config: Config) {}

  /**
   * Counts a change in the caller's unit of work, which has locked the knowledge base.
   *
   * @throws Problem `quota_reached`, which rolls the unit of work back
   */
  async count(manager: EntityManager, kbId: string, change: SizeChange): Promise<void> {
    const { documents, bytes } = change;
    const [size] = await manager.query<[SizeChange]>(
      `INSERT INTO knowledge_base_sizes (kb_id, documents, bytes)
       VALUES (${sqlParameter(manager.dataSource, 0)}, ${documents}, ${bytes})
       ON CONFLICT (kb_id) DO UPDATE SET
         documents = knowledge_base_sizes.documents + excluded.documents,
         bytes = knowledge_base_sizes.bytes + excluded.bytes
       RETURNING documents, bytes`,
      [kbId],
    );
    const { MAX_DOCUMENTS_PER_KNOWLEDGE_BASE, MAX_BYTES_PER_KNOWLEDGE_BASE } = this.config;
    // If a quota was lowered, a knowledge base above it may still shrink.
    if (documents > 0 && size.documents > MAX_DOCUMENTS_PER_KNOWLEDGE_BASE) {
      throw quotaReached('MAX_DOCUMENTS_PER_KNOWLEDGE_BASE', MAX_DOCUMENTS_PER_KNOWLEDGE_BASE);
    }
    if (bytes > 0 && size.bytes > MAX_BYTES_PER_KNOWLEDGE_BASE) {
      throw quotaReached('MAX_BYTES_PER_KNOWLEDGE_BASE', MAX_BYTES_PER_KNOWLEDGE_BASE);
    }
  }
}
