import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { binary } from '../database/dialect.js';
import { Document } from './document.entity.js';

/** The uploaded content, in a table of its own so that lists of documents do not read it. */
@Entity('document_contents')
export class DocumentContent {
  @PrimaryColumn('varchar')
  documentId: string;

  @OneToOne(() => Document, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'document_id' })
  document: Relation<Document>;

  @Column({ type: binary })
  content: Buffer;
}
