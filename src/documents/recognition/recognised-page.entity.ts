import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../../platform/database/belongs-to.js';
import { Document } from '../document.entity.js';

/**
 * The text recognised on a page, kept so that a restart or a new chunk size does not require
 * recognition again.
 */
@Entity('recognised_pages')
export class RecognisedPage {
  @PrimaryColumn('varchar') documentId: string;
  @Completes(() => Document, 'document_id') document: Relation<Document>;

  /** The page number, from 1. */
  @PrimaryColumn('integer') page: number;

  /** The hash of the content and the requested languages. */
  @Column('varchar') source: string;

  /**
   * The languages of the recognised text, as BCP 47 tags separated by commas; empty for a page without
   * text.
   */
  @Column('varchar') languages: string;

  /** Whether recognition failed; it is retried when the document is indexed again. */
  @Column('boolean') isFailed: boolean;

  /** A `RecognisedText` as JSON; only the extraction process parses it. */
  @Column('text') text: string;
}
