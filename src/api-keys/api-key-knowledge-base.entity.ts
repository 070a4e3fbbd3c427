import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { json } from '../platform/database/dialect.js';
import { ApiKey } from './api-key.entity.js';
import type { ApiKeyScope } from './scope.js';

/**
 * A knowledge base of a key besides the main one, which is a column of the key itself. A key of one
 * knowledge base has no rows here.
 */
@Entity('api_key_knowledge_bases')
@Index(['kbId'])
export class ApiKeyKnowledgeBase {
  @PrimaryColumn('varchar') apiKeyId: string;
  @BelongsTo(() => ApiKey, 'api_key_id') apiKey: Relation<ApiKey>;

  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** If the main knowledge base is removed, the lowest position takes its place. */
  @Column('integer') position: number;

  @Column('simple-array') scopes: ApiKeyScope[];

  /** Restricts the key to these documents; null for all of the knowledge base. */
  @Column({ type: json, nullable: true }) filter: MetadataFilter | null;
}
