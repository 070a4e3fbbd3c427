import type { EntityManager } from 'typeorm';
import { Problem } from '../platform/problems/problem.js';
import { Document } from './document.entity.js';

interface Identity {
  readonly external_id?: string | null | undefined;
  /** SHA-256 of the content. */
  readonly sha256: string;
}

/**
 * Finds the document with the same external id, or else one with the same content, by two index
 * lookups.
 */
export async function findDuplicate(
  manager: EntityManager,
  kbId: string,
  { external_id: externalId, sha256 }: Identity,
): Promise<Document | null> {
  const sameId = externalId ? await findByExternalId(manager, kbId, externalId) : null;
  return sameId ?? manager.findOneBy(Document, { kbId, state: 'active', sha256 });
}

/** @throws Problem `duplicate_document` when another document has this external id */
export async function requireFree(
  manager: EntityManager,
  { id, kbId }: Document,
  externalId: string | null | undefined,
): Promise<void> {
  if (externalId === null || externalId === undefined) return;
  const holder = await findByExternalId(manager, kbId, externalId);
  if (holder && holder.id !== id) throw duplicateDocument(holder);
}

export const duplicateDocument = ({ id }: Document) =>
  new Problem('duplicate_document', { extensions: { existing_document_id: id } });

const findByExternalId = (manager: EntityManager, kbId: string, externalId: string) =>
  manager.findOneBy(Document, { kbId, state: 'active', externalId });
