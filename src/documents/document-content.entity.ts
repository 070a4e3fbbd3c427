import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../platform/database/belongs-to.js';
import { binary } from '../platform/database/dialect.js';
import { Document } from './document.entity.js';

/** The uploaded content. It has its own table so that listing documents does not read it. */
@Entity('document_contents')
export class DocumentContent {
  @PrimaryColumn('varchar') documentId: string;
  @Completes(() => Document, 'document_id') document: Relation<Document>;

  @Column({ type: binary }) content: Buffer;
}
