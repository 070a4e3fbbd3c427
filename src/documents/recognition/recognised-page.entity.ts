import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../../platform/database/belongs-to.js';
import { Document } from '../document.entity.js';

/** What was recognised on a page, kept so that neither a restart nor a new size of passages costs it. */
@Entity('recognised_pages')
export class RecognisedPage {
  @PrimaryColumn('varchar') documentId: string;
  @Completes(() => Document, 'document_id') document: Relation<Document>;

  /** From 1. */
  @PrimaryColumn('integer') page: number;

  /** Of the content that it is a page of, and the languages that were asked for. */
  @Column('varchar') source: string;

  /** In which it was recognised, as BCP 47, separated by commas; empty for a page without text. */
  @Column('varchar') languages: string;

  /** Whether it was given up, until the document is indexed again. */
  @Column('boolean') isFailed: boolean;

  /** A `RecognisedText` as JSON, which only the process that reads documents parses. */
  @Column('text') text: string;
}
