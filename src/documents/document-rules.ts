import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { AccessSet } from '../knowledge-bases/access-rules/access-set.entity.js';
import { Document } from './document.entity.js';

/** Reads documents with their rules, for those who may change them: see `toDocumentDto`. */
export const withRule = (documents: SelectQueryBuilder<Document>): SelectQueryBuilder<Document> =>
  documents.leftJoinAndMapOne(
    'document.accessSet',
    AccessSet,
    'access_set',
    'access_set.id = document.accessSetId',
  );

export const findWithRule = (manager: EntityManager, id: string): Promise<Document> =>
  withRule(manager.createQueryBuilder(Document, 'document').where({ id })).getOneOrFail();
