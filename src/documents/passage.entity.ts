import { Column, Entity, Index, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { json, SerialColumn } from '../platform/database/dialect.js';
import { Document } from './document.entity.js';
import type { Locator } from '@latchkey/extraction/block';
import type { PassageTable } from '@latchkey/extraction/passage-table';

/**
 * In SQL, the last version of a `document` that is written to its end. The version of a running lease is being
 * written, and so may be later ones by now.
 */
export const LAST_WRITTEN = `CASE document.status WHEN 'processing' THEN document.lease - 1 ELSE document.lease END`;

/** A passage of a document: what questions find and answers cite. */
@Entity('passages')
@Index(['documentId', 'version', 'position'])
@Index(['kbId', 'number'])
@Index(['id'], { unique: true })
export class Passage {
  /** Its key in the search index; never reused. */
  @SerialColumn() number: number;
  @Column('varchar') id: string;
  @Column('varchar') kbId: string;
  @Column('varchar') documentId: string;
  @BelongsTo(() => Document, 'document_id') document: Relation<Document>;

  /** Number of the lease that made it; searchable when it is the document's version. */
  @Column('integer') version: number;

  /** From 0, in the order of the document. */
  @Column('integer') position: number;
  @Column('text') text: string;

  /** The headings above the passage, outermost first, joined by ` › `. */
  @Column('text', { nullable: true }) heading: string | null;

  /** From 1, for paged formats. */
  @Column('integer', { nullable: true }) page: number | null;

  /** Where it begins, in the terms of the format; null in formats without pages or parts. */
  @Column({ type: json, nullable: true }) locator: Locator | null;

  /** The rows of a table that it has; null if it has none. */
  @Column({ type: json, nullable: true }) cells: PassageTable | null;
}
