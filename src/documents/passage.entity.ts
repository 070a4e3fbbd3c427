import { Column, Entity, Index, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { json, SerialColumn } from '../platform/database/dialect.js';
import { Document } from './document.entity.js';
import type { Locator, PassageTable } from '@latchkey/extraction/extracted';

/**
 * SQL for the last complete version of a `document`. While it is processed, the last version is still
 * being written, and so may be later ones.
 */
export const LAST_WRITTEN = `CASE document.status WHEN 'processing' THEN document.last_version - 1 ELSE document.last_version END`;

/** A passage of a document, the unit that search finds and answers cite. */
@Entity('passages')
@Index(['documentId', 'version', 'position'])
@Index(['kbId', 'number'])
@Index(['id'], { unique: true })
export class Passage {
  /** The key of the passage in the search index; never reused. */
  @SerialColumn() number: number;
  @Column('varchar') id: string;
  @Column('varchar') kbId: string;
  @Column('varchar') documentId: string;
  @BelongsTo(() => Document, 'document_id') document: Relation<Document>;

  /** The passage is searchable if this equals the document's version. */
  @Column('integer') version: number;

  /** The position in the document, from 0. */
  @Column('integer') position: number;
  @Column('text') text: string;

  /** The headings above the passage, outermost first, joined by ` › `. */
  @Column('text', { nullable: true }) heading: string | null;

  /** The page number, from 1; null for formats without pages. */
  @Column('integer', { nullable: true }) page: number | null;

  /** Where the passage begins, in terms of the format; null for formats without pages or parts. */
  @Column({ type: json, nullable: true }) locator: Locator | null;

  /** The table rows in the passage; null if there are none. */
  @Column({ type: json, nullable: true }) cells: PassageTable | null;
}
