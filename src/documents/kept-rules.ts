import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { accessSetFor, toRule } from '../knowledge-bases/access-rules/access-rules.js';
import { AccessSet } from '../knowledge-bases/access-rules/access-set.entity.js';
import type { Document, SourceAccess } from './document.entity.js';
import { KeptRule } from './kept-rule.entity.js';

/** The rule of a document whose source does not provide one: nobody may read it. */
const NOBODY = { allow: [], deny: [] };

/** Identifies a document, and so its rule, after deletion. */
type Named = Pick<Document, 'kbId' | 'sourceId' | 'sourceKey' | 'externalId'>;

/** A document for which a kept rule is looked up. */
interface NewDocument extends Named {
  readonly sha256: string;
  readonly sourceAccess: SourceAccess | null;
}

/**
 * Returns the same text for equal rules, since databases may return members in any order; empty for no
 * rule.
 */
export const toRuleText = (access: SourceAccess | null = null): string =>
  access === null || access === 'unreadable'
    ? (access ?? '')
    : JSON.stringify([access.allow, access.deny]);

/**
 * Keeps the rule that a user set on a document, before the document is deleted or gets the rule of its
 * source.
 */
export async function keepRule(manager: EntityManager, document: Document): Promise<void> {
  const name = toRuleKey(document);
  const accessSetId = name && (await findOwnRule(manager, document));
  if (!name || !accessSetId) return;
  const { kbId, sha256, sourceAccess } = document;
  const sourceRule = toHash(toRuleText(sourceAccess));
  const kept = { ...name, kbId, sha256, accessSetId, sourceRule, createdAt: new Date() };
  await manager.upsert(KeptRule, kept, ['ownerId', 'key']);
}

/** Restores a rule kept for this document, or for the same content elsewhere in its source. */
export async function takeKeptRule(
  manager: EntityManager,
  document: NewDocument,
): Promise<string | undefined> {
  const name = toRuleKey(document);
  if (!name) return undefined;
  const { kbId, sourceId, sha256, sourceAccess } = document;
  const kept =
    (await manager.findOneBy(KeptRule, name)) ??
    (sourceId !== null &&
      (await manager.findOne(KeptRule, {
        where: { ownerId: sourceId, sha256 },
        order: { createdAt: 'DESC' },
      })));
  if (!kept) return undefined;
  const { accessSetId: id, sourceRule } = kept;
  // The source's rule has changed since the user set this one, so it no longer applies.
  if (sourceAccess !== null && sourceRule !== toHash(toRuleText(sourceAccess))) return undefined;
  await manager.delete(KeptRule, name);
  if (await manager.existsBy(AccessSet, { id, kbId })) return id;
  return (await accessSetFor(manager, kbId, { access: NOBODY })) ?? undefined;
}

/** Forgets a kept rule, because a user has set a new one or removed it. */
export async function forgetKeptRule(manager: EntityManager, document: Named): Promise<void> {
  const name = toRuleKey(document);
  if (name) await manager.delete(KeptRule, name);
}

/**
 * Decides the access rule of a document of a source. A rule set by a user stays until the source
 * changes its own rule, and returns once the source has none.
 *
 * @param now the document as the source has it now
 * @returns the access set; null for the default of the knowledge base; undefined to keep the current
 *   one
 */
export async function findRuleOfSource(
  manager: EntityManager,
  existing: Document | null,
  now: NewDocument,
): Promise<string | null | undefined> {
  const { kbId, sourceAccess } = now;
  if (existing) {
    const isSame = toRuleText(sourceAccess) === toRuleText(existing.sourceAccess);
    if (isSame && (sourceAccess === null || existing.accessSetId !== null)) return undefined;
    const own = await findOwnRule(manager, existing);
    if (own !== null && sourceAccess === null) return undefined;
    const { sourceId, sourceKey } = now;
    if (own !== null) await keepRule(manager, { ...existing, sourceId, sourceKey });
  }
  const kept = await takeKeptRule(manager, now);
  if (kept !== undefined) return kept;
  if (sourceAccess === null) return existing?.sourceAccess ? null : undefined;
  return accessSetFor(manager, kbId, { access: toAccess(sourceAccess) });
}

/** Returns the rule that a user set on a document; null if it has the rule of its source, or none. */
async function findOwnRule(
  manager: EntityManager,
  { accessSetId, sourceAccess }: Pick<Document, 'accessSetId' | 'sourceAccess'>,
): Promise<string | null> {
  if (accessSetId === null || sourceAccess === null) return accessSetId;
  const set = await manager.findOneBy(AccessSet, { id: accessSetId });
  const isOfSource =
    set?.name === null && isDeepStrictEqual(set.rule, toRule(toAccess(sourceAccess)));
  return isOfSource ? null : accessSetId;
}

const toAccess = (access: SourceAccess) => (access === 'unreadable' ? NOBODY : access);

function toRuleKey({ kbId, sourceId, sourceKey, externalId }: Named) {
  const key = sourceId === null ? externalId : sourceKey;
  return key === null ? undefined : { ownerId: sourceId ?? kbId, key: hash('sha256', key) };
}

const toHash = (rule: string) => (rule === '' ? null : hash('sha256', rule));
