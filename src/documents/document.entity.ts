import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant, json } from '../platform/database/dialect.js';
import type { AccessSet } from '../knowledge-bases/access-rules/access-set.entity.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import type { DocumentWarning } from '@latchkey/extraction/block';

/** As the source has it, or that it cannot be found out. */
export type SourceAccess = { readonly allow: string[]; readonly deny: string[] } | 'unreadable';

/** Deactivated means deleted: no search finds it, and its rows are being removed. */
export type DocumentState = 'active' | 'deactivated';

/** How far indexing has come; see document-transitions.ts. */
export type DocumentStatus = 'pending' | 'processing' | 'ready' | 'failed';

/**
 * How it is indexed: in a `group` with others if it is small, as a `single` document, or, once it has
 * turned out to take `long`, in one of the places for such documents; in `recognition`, behind all others,
 * while it has pages to recognise.
 */
export type IndexingMode = 'group' | 'single' | 'long' | 'recognition';

/** SQLite uses a partial index for a statement that has these very words. */
export const IS_DELETED = `state = 'deactivated'`;

/** The same. */
export const HAS_NEW_RULE = 'rules_version > 0';

/** The same. */
export const IS_OF_SOURCE = `source_id IS NOT NULL AND state = 'active'`;

@Entity('documents')
@Index(['kbId', 'state', 'status'])
@Index(['kbId', 'sha256', 'state'])
@Index(['kbId', 'externalId', 'state'])
@Index(['status', 'dueAt'])
@Index(['status', 'userId', 'kbId', 'id'])
@Index(['accessSetId', 'state'])
@Index(['id'], { where: IS_DELETED })
@Index(['kbId', 'rulesVersion'], { where: HAS_NEW_RULE })
@Index(['sourceId', 'sourceKey'], { unique: true, where: IS_OF_SOURCE })
export class Document {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** Who created the knowledge base: the user in whose turn it is indexed. */
  @Column('varchar', { default: '' }) userId: string;

  @Column('varchar') title: string;
  @Column('varchar', { nullable: true }) sourceUrl: string | null;
  @Column('varchar', { nullable: true }) externalId: string | null;
  @Column('varchar') mimeType: string;
  @Column('integer') sizeBytes: number;

  /** Of the uploaded content, lower-case hexadecimal. */
  @Column('varchar') sha256: string;
  @Column({ type: json }) metadata: object;
  @Column('varchar') state: DocumentState;
  @Column('varchar') status: DocumentStatus;
  @Column('varchar', { nullable: true }) errorCode: string | null;
  @Column('varchar', { nullable: true }) errorMessage: string | null;

  /** How often indexing was started since the document was queued by a user. */
  @Column('integer', { default: 0 }) attempts: number;

  /** Number of the latest lease, which is also the version of the passages made under it. */
  @Column('integer', { default: 0 }) lease: number;

  /**
   * When a process may index it and, while one does, when its lease expires; null when it is indexed or
   * deleted.
   */
  @Column({ type: instant, nullable: true }) dueAt: Date | null;
  @Column('varchar', { default: 'group' }) indexingMode: IndexingMode;

  /** The version of the searchable passages; null while there are none. */
  @Column('integer', { nullable: true }) version: number | null;

  /** When its content was replaced; null once the new one is searchable. */
  @Column({ type: instant, nullable: true }) replacedAt: Date | null;

  /** When its content became searchable in the place of another one; null for its first. */
  @Column({ type: instant, nullable: true }) contentSince: Date | null;
  @Column('integer', { default: 0 }) passageCount: number;

  /** BCP 47: the declared one, else the detected one; null while it is unknown. */
  @Column('varchar', { nullable: true }) language: string | null;

  /** As the uploader gave it. */
  @Column('varchar', { nullable: true }) declaredLanguage: string | null;

  /** As the uploader gave them, for recognition; null to find out. */
  @Column({ type: json, nullable: true }) languages: string[] | null;

  /** The encoding of its text, as its uploader named it; null to find out. */
  @Column('varchar', { nullable: true }) charset: string | null;

  /** What the readers left out; null for none. */
  @Column({ type: json, nullable: true }) warnings: DocumentWarning[] | null;

  /**
   * Words in a passage when the searchable passages were made, and how many the next one repeats.
   */
  @Column('integer', { nullable: true }) chunkSize: number | null;
  @Column('integer', { nullable: true }) chunkOverlap: number | null;

  /** The source that it comes from, and what names it there; null for an upload. */
  @Column('varchar', { nullable: true }) sourceId: string | null;
  @Column('varchar', { nullable: true }) sourceKey: string | null;

  /** That of the source whose content it has; null if a user replaced it since. */
  @Column('varchar', { nullable: true }) sourceVersion: string | null;

  /** Who may read it at its source; null where the source does not say. */
  @Column({ type: json, nullable: true }) sourceAccess: SourceAccess | null;

  /** When it was last loaded from its source. */
  @Column({ type: instant, nullable: true }) syncedAt: Date | null;

  /** Who may read it; null for the `default_access` of the knowledge base. */
  @Column('varchar', { nullable: true }) accessSetId: string | null;

  /** The `documentRulesVersion` of its knowledge base since which it has this rule and metadata; 0 if from the first. */
  @Column('integer', { default: 0 }) rulesVersion: number;

  /** Passages of versions up to this one are of former content: nobody reads them, whatever the rule. */
  @Column('integer', { default: 0 }) closedVersion: number;

  /** Only where it was asked for: see withRule. */
  accessSet?: AccessSet | null;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
  @Column({ type: instant, nullable: true }) indexedAt: Date | null;
}
