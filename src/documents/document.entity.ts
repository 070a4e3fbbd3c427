import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { instant, json } from '../database/dialect.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** Deactivated means deleted: in no answer any more, its rows are being removed. */
export type DocumentState = 'active' | 'deactivated';

/** How far indexing has come. A document with a `version` is findable whatever its status. */
export type DocumentStatus = 'pending' | 'processing' | 'ready' | 'failed';

/**
 * How it waits to be indexed: with others in a `group` if it is small, as a `single` one, or, once it
 * has turned out to take `long`, for one of the places for such documents.
 */
export type IndexingLane = 'group' | 'single' | 'long';

@Entity('documents')
@Index(['kbId', 'state', 'status'])
@Index(['kbId', 'sha256'])
@Index(['kbId', 'externalId'])
@Index(['status', 'leaseUntil'])
@Index(['status', 'kbId', 'id'])
@Index(['state'])
export class Document {
  @PrimaryColumn('varchar')
  id: string;

  @Column('varchar')
  kbId: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  @Column('varchar')
  title: string;

  @Column('varchar', { nullable: true })
  sourceUrl: string | null;

  @Column('varchar', { nullable: true })
  externalId: string | null;

  @Column('varchar')
  mimeType: string;

  @Column('integer')
  sizeBytes: number;

  /** Of the content as it came in, lower-case hexadecimal. */
  @Column('varchar')
  sha256: string;

  @Column({ type: json })
  metadata: object;

  @Column('varchar')
  state: DocumentState;

  @Column('varchar')
  status: DocumentStatus;

  @Column('varchar', { nullable: true })
  errorCode: string | null;

  @Column('varchar', { nullable: true })
  errorMessage: string | null;

  /** How often indexing was begun since the content came in. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** Counts every claim in the document's life; the version of the chunks a claim makes. */
  @Column('integer', { default: 0 })
  claim: number;

  /** Until when the claim holds; after that anybody may take over. */
  @Column({ type: instant, nullable: true })
  leaseUntil: Date | null;

  /** Until when a pending document waits after an attempt that failed. */
  @Column({ type: instant, nullable: true })
  nextAttemptAt: Date | null;

  @Column('varchar', { default: 'group' })
  lane: IndexingLane;

  /** The version of the chunks that are findable; null while there are none. */
  @Column('integer', { nullable: true })
  version: number | null;

  @Column('integer', { default: 0 })
  chunkCount: number;

  /** Words to a chunk, and repeated by the next one, when the findable chunks were made. */
  @Column('integer', { nullable: true })
  chunkSize: number | null;

  @Column('integer', { nullable: true })
  chunkOverlap: number | null;

  @Column({ type: instant })
  createdAt: Date;

  @Column({ type: instant })
  updatedAt: Date;

  @Column({ type: instant, nullable: true })
  indexedAt: Date | null;
}
