import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { json } from '../platform/database/dialect.js';
import { ApiKey } from './api-key.entity.js';
import type { ApiKeyScope } from './scope.js';

/**
 * A knowledge base that a key opens beside its main one, which stands in the key's own row. So a key of
 * one knowledge base has no rows here.
 */
@Entity('api_key_knowledge_bases')
@Index(['kbId'])
export class ApiKeyKnowledgeBase {
  @PrimaryColumn('varchar') apiKeyId: string;
  @BelongsTo(() => ApiKey, 'api_key_id') apiKey: Relation<ApiKey>;

  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The first one succeeds the main one when that is taken out. */
  @Column('integer') position: number;

  @Column('simple-array') scopes: ApiKeyScope[];

  /** The documents that the key opens; null means all of the knowledge base. */
  @Column({ type: json, nullable: true }) filter: MetadataFilter | null;
}
