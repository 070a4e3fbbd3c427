import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { json } from '../platform/database/dialect.js';
import type { ApiKey } from './api-key.entity.js';
import type { ApiKeyScope } from './scope.js';

/** What a key may do in one knowledge base. A key of a service account has no grants. */
@Entity('api_key_grants', { withoutRowid: true })
@Index(['kbId', 'keyId'], { unique: true })
export class ApiKeyGrant {
  @PrimaryColumn('varchar') keyId: string;
  @BelongsTo('ApiKey', 'key_id') key: Relation<ApiKey>;

  /** Of the active knowledge bases, the one with the lowest position owns the key. */
  @PrimaryColumn('integer') position: number;

  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  @Column('simple-array') scopes: ApiKeyScope[];

  /** Restricts the key to these documents; null for all of the knowledge base. */
  @Column({ type: json, nullable: true }) filter: MetadataFilter | null;
}
