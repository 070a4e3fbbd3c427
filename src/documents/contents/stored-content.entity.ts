import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { instant } from '../../database/dialect.js';
import { Document } from '../document.entity.js';

/** `uploading`: its transaction is not committed yet, so no document has it. */
export type StoredContentState = 'uploading' | 'stored';

/**
 * A content in a store outside the database. The row is written before the content is and deleted after
 * it is, so that none is forgotten when a process dies. One that is `stored` and has no document any more
 * is being removed: ContentPurge.
 */
@Entity('stored_contents')
@Index(['documentId'], { unique: true })
export class StoredContent {
  /** Its name in the store. */
  @PrimaryColumn('varchar')
  key: string;

  /** `files`, or `s3://bucket/prefix`. */
  @Column('varchar')
  store: string;

  @Column('varchar')
  state: StoredContentState;

  @Column('varchar', { nullable: true })
  documentId: string | null;

  /** The rows of deleted documents are deleted, which leaves the content without a document. */
  @ManyToOne(() => Document, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'document_id' })
  document: Relation<Document> | null;

  @Column({ type: instant })
  createdAt: Date;
}
