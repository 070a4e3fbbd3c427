import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../platform/database/belongs-to.js';
import { binary } from '../platform/database/dialect.js';
import { Document } from './document.entity.js';

/** The uploaded content, in a table of its own so that lists of documents do not read it. */
@Entity('document_contents')
export class DocumentContent {
  @PrimaryColumn('varchar') documentId: string;
  @Completes(() => Document, 'document_id') document: Relation<Document>;

  @Column({ type: binary }) content: Buffer;
}
