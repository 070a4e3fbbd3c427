import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant, json } from '../platform/database/dialect.js';
import type { AccessSet } from '../knowledge-bases/access-rules/access-set.entity.js';
import { HAS_NEW_RULE } from '../knowledge-bases/access-rules/readable-sql.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import type { DateOrigin } from '@latchkey/ranking/search-index';
import { isGiven } from './search/validity.js';
import type { DocumentWarning } from '@latchkey/extraction/extracted';

/** The access rule at the source, or `unreadable` if it cannot be determined. */
export type SourceAccess = { readonly allow: string[]; readonly deny: string[] } | 'unreadable';

/**
 * `deactivated` means deleted: no search finds the document, and its rows are being removed. `kept` is a former
 * version of another document; see version-keeper.ts.
 */
export type DocumentState = 'active' | 'kept' | 'deactivated';

/** How far indexing has come; see document-status.ts. */
export type DocumentStatus = 'pending' | 'processing' | 'ready' | 'failed';

/** SQLite uses a partial index only if a statement contains exactly this condition. */
export const IS_DELETED = `state = 'deactivated'`;

/** Conditions of partial indexes; see IS_DELETED. */
export const SUPERSEDES = 'supersedes IS NOT NULL';
export const IS_SUPERSEDED = 'superseded_by IS NOT NULL';
export const IS_VERSION = 'version_of IS NOT NULL';
export const IS_OF_SOURCE = `source_id IS NOT NULL AND state = 'active'`;

@Entity('documents')
@Index(['kbId', 'state', 'status'])
@Index(['kbId', 'sha256', 'state'])
@Index(['kbId', 'externalId', 'state'])
@Index(['accessSetId', 'state'])
@Index(['id'], { where: IS_DELETED })
@Index(['kbId', 'rulesVersion'], { where: HAS_NEW_RULE })
@Index(['kbId', 'validFrom'], { where: isGiven('valid_from') })
@Index(['kbId', 'validUntil'], { where: isGiven('valid_until') })
@Index(['kbId', 'supersededAt'], { where: isGiven('superseded_at') })
@Index(['supersedes'], { where: SUPERSEDES })
@Index(['supersededBy'], { where: IS_SUPERSEDED })
@Index(['versionOf', 'contentNumber'], { where: IS_VERSION })
@Index(['kbId', 'replacedAt'], { where: IS_VERSION })
@Index(['sourceId', 'sourceKey'], { unique: true, where: IS_OF_SOURCE })
export class Document {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  @Column('varchar') title: string;
  @Column('varchar', { nullable: true }) sourceUrl: string | null;
  @Column('varchar', { nullable: true }) externalId: string | null;
  @Column('varchar') mimeType: string;
  @Column('integer') sizeBytes: number;

  /** SHA-256 of the uploaded content, in lower-case hexadecimal. */
  @Column('varchar') sha256: string;
  @Column({ type: json }) metadata: object;
  @Column('varchar') state: DocumentState;
  @Column('varchar') status: DocumentStatus;
  @Column('varchar', { nullable: true }) errorCode: string | null;
  @Column('varchar', { nullable: true }) errorMessage: string | null;

  /** The number of indexing attempts since a user queued the document. */
  @Column('integer', { default: 0 }) attempts: number;

  /** The version of the passages that indexing makes, or made last. */
  @Column('integer', { default: 0 }) lastVersion: number;

  /** The version of the searchable passages; null while there are none. */
  @Column('integer', { nullable: true }) version: number | null;

  /** When its content was replaced; null once the new one is searchable. */
  @Column({ type: instant, nullable: true }) replacedAt: Date | null;

  /** When the content replaced an earlier one in search; null for the first content. */
  @Column({ type: instant, nullable: true }) contentSince: Date | null;
  @Column('integer', { default: 0 }) passageCount: number;

  /** A BCP 47 tag, declared or detected; null while unknown. */
  @Column('varchar', { nullable: true }) language: string | null;

  /** The language that the uploader declared. */
  @Column('varchar', { nullable: true }) declaredLanguage: string | null;

  /** Languages for text recognition, as declared by the uploader; null to detect them. */
  @Column({ type: json, nullable: true }) languages: string[] | null;

  /** The text encoding that the uploader declared; null to detect it. */
  @Column('varchar', { nullable: true }) charset: string | null;

  /** What extraction left out; null for nothing. */
  @Column({ type: json, nullable: true }) warnings: DocumentWarning[] | null;

  /**
   * The settings that the searchable passages were made with: words per passage, and how many the next
   * passage repeats.
   */
  @Column('integer', { nullable: true }) chunkSize: number | null;
  @Column('integer', { nullable: true }) chunkOverlap: number | null;

  /** The source of the document and its key there; null for an upload. */
  @Column('varchar', { nullable: true }) sourceId: string | null;
  @Column('varchar', { nullable: true }) sourceKey: string | null;

  /** The version of the content at the source; null if a user replaced the content since. */
  @Column('varchar', { nullable: true }) sourceVersion: string | null;

  /** Who may read the document at its source; null if the source does not say. */
  @Column({ type: json, nullable: true }) sourceAccess: SourceAccess | null;

  /** When the document was last loaded from its source. */
  @Column({ type: instant, nullable: true }) syncedAt: Date | null;

  /** The access set of the document; null for the `default_access` of the knowledge base. */
  @Column('varchar', { nullable: true }) accessSetId: string | null;

  /**
   * The `documentRulesVersion` of the knowledge base when the document got its rule and metadata; 0 if
   * it never changed.
   */
  @Column('integer', { default: 0 }) rulesVersion: number;

  /**
   * Passages of versions up to this one belong to replaced content and are never shown, whatever the
   * rule.
   */
  @Column('integer', { default: 0 }) closedVersion: number;

  /** `2025`, `2025-03` or `2025-03-01`; null if nothing says it. See document-date.ts. */
  @Column('varchar', { nullable: true }) date: string | null;
  @Column('varchar', { nullable: true }) dateFrom: DateOrigin | null;

  /** When its source says that it was changed, in the form of `date`. */
  @Column('varchar', { nullable: true }) sourceDate: string | null;

  /** From when, and until when, answers may use the document; null for no limit. */
  @Column({ type: instant, nullable: true }) validFrom: Date | null;
  @Column({ type: instant, nullable: true }) validUntil: Date | null;

  /** The document whose place this one takes as soon as it is searchable and valid. */
  @Column('varchar', { nullable: true }) supersedes: string | null;

  /** The document that takes its place, and from when on; see supersession.ts. */
  @Column('varchar', { nullable: true }) supersededBy: string | null;
  @Column({ type: instant, nullable: true }) supersededAt: Date | null;

  /** How often the document has got other content, from 1; and the same of its searchable content. */
  @Column('integer', { default: 1 }) contentNumber: number;
  @Column('integer', { default: 1 }) searchableNumber: number;

  /** Of a former version: the document, and who replaced it. `replacedAt` is when. */
  @Column('varchar', { nullable: true }) versionOf: string | null;
  @Column('varchar', { nullable: true }) replacedBy: string | null;

  /** Loaded only by `withRule`. */
  accessSet?: AccessSet | null;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
  @Column({ type: instant, nullable: true }) indexedAt: Date | null;
}
