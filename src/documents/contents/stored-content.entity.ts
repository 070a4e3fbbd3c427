import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { instant } from '../../platform/database/dialect.js';
import { Document } from '../document.entity.js';

/** `uploading`: not attached to a document yet. `stored`: attached, or to be removed. */
type StoredContentState = 'uploading' | 'stored';

/**
 * A content in a store outside the database. The row is inserted before the content is written and
 * deleted after the content is removed, so a content always has a row, even if a process dies in between.
 * ContentPurge removes contents that are `stored` and have no document.
 */
@Entity('stored_contents')
@Index(['documentId'], { unique: true })
export class StoredContent {
  /** The name of the content in the store. */
  @PrimaryColumn('varchar') key: string;

  /** `files`, or `s3://bucket/prefix`. */
  @Column('varchar') store: string;
  @Column('varchar') state: StoredContentState;
  @Column('varchar', { nullable: true }) documentId: string | null;

  /** Set to null when the row of a deleted document is purged; then the content is removed. */
  @ManyToOne(() => Document, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'document_id' })
  document: Relation<Document> | null;

  @Column({ type: instant }) createdAt: Date;
}
