import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { sqlParameter } from '../../platform/database/dialect.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { isTypeId, newId } from '../../platform/http/type-id.js';
import { invalidField } from '../../platform/problems/problem.js';
import { KnowledgeBase } from '../knowledge-base.entity.js';
import { AccessEntry } from './access-entry.entity.js';
import type { AccessRuleDto } from './access-rule.dto.js';
import { newRuleColumns } from './new-rule.js';
import { type AccessRule, AccessSet, UNUSED_SET_MS } from './access-set.entity.js';
import { comparedPrincipal, distinctNames, toPrincipals } from './principals.js';

/** How long after its last use a shared rule is given to further documents. */
const SHARED_MS = UNUSED_SET_MS / 2;

/** The fields of a document that say who may read it; at most one of them has a value. */
export interface DocumentAccess {
  readonly access?: AccessRuleDto | null | undefined;
  readonly access_set?: string | null | undefined;
}

/** @throws Problem `validation_failed` */
export function requireOneRule({ access, access_set }: DocumentAccess): void {
  if (access && access_set)
    throw invalidField('access', 'access and access_set cannot be combined');
}

/**
 * Finds or creates the set of rules for a document, in a transaction that has locked the knowledge base.
 * Equal rules of single documents share a set.
 *
 * @returns its id; null for the default of the knowledge base; undefined if the fields are missing
 * @throws Problem `validation_failed` when there is no such set in the knowledge base
 */
export async function accessSetFor(
  manager: EntityManager,
  kbId: string,
  fields: DocumentAccess,
): Promise<string | null | undefined> {
  const { access, access_set: id } = fields;
  requireOneRule(fields);
  if (typeof id === 'string') {
    const named = { id, kbId, name: Not(IsNull()) };
    if (isTypeId('as', id) && (await manager.existsBy(AccessSet, named))) return id;
    throw invalidField('access_set', 'access_set must name an access set of the knowledge base');
  }
  if (access) return sharedSet(manager, kbId, toRule(access));
  return access === undefined && id === undefined ? undefined : null;
}

/** Records that rules have changed, so that every process notices. */
export async function noteChange(manager: EntityManager, kbId: string): Promise<void> {
  await manager.increment(KnowledgeBase, { id: kbId }, 'accessVersion', 1);
}

/** Records that documents have got other rules. */
export async function noteRulesOfDocuments(manager: EntityManager, kbId: string): Promise<void> {
  await noteChange(manager, kbId);
  await noteMetadataOfDocuments(manager, kbId);
}

/** Records that documents have got other metadata, which decides who can read them through a filter. */
export async function noteMetadataOfDocuments(manager: EntityManager, kbId: string): Promise<void> {
  await manager.increment(KnowledgeBase, { id: kbId }, 'documentRulesVersion', 1);
}

export const toRule = ({ allow, deny = [] }: AccessRuleDto): AccessRule => ({
  allow: distinctNames(allow).sort(),
  deny: distinctNames(deny).sort(),
});

async function sharedSet(manager: EntityManager, kbId: string, rule: AccessRule): Promise<string> {
  const key = { kbId, hash: hash('sha256', JSON.stringify(rule), 'base64url') };
  const updatedAt = new Date();
  // The retention job may be deleting a set that was unused for long, so such a set is not reused.
  const used = MoreThan(new Date(updatedAt.getTime() - SHARED_MS));
  const { affected } = await manager.update(AccessSet, { ...key, updatedAt: used }, { updatedAt });
  if (affected === 1) return (await manager.findOneByOrFail(AccessSet, key)).id;
  await manager.update(AccessSet, key, { hash: null });
  const set = { ...key, id: newId('as'), name: null, rule, createdAt: updatedAt, updatedAt };
  await insertSet(manager, set);
  return set.id;
}

export async function insertSet(
  manager: EntityManager,
  set: Omit<AccessSet, 'knowledgeBase'>,
): Promise<void> {
  await manager.insert(AccessSet, set);
  await insertRows(manager, AccessEntry, toEntries(set));
  await noteChange(manager, set.kbId);
}

/** Updates a set. Its documents are changed only if its entries change. */
export async function updateSet(
  manager: EntityManager,
  { id, kbId, rule: former }: Pick<AccessSet, 'id' | 'kbId' | 'rule'>,
  { name, rule }: Pick<AccessSet, 'name' | 'rule'>,
): Promise<void> {
  await manager.update(AccessSet, { id }, { name, rule, updatedAt: new Date() });
  if (isDeepStrictEqual(rule, former)) return;
  await manager.delete(AccessEntry, { setId: id });
  await insertRows(manager, AccessEntry, toEntries({ id, kbId, rule }));
  await hideFormerContent(manager, kbId, id);
}

/**
 * Records that a rule changes, in the transaction of the change. If the new content of a document is not
 * indexed yet, its former content is hidden, because the new rule is not meant for it.
 *
 * @param setId null for the documents without a rule
 */
export async function hideFormerContent(
  manager: EntityManager,
  kbId: string,
  setId: string | null,
): Promise<void> {
  await noteRulesOfDocuments(manager, kbId);
  const parameter = (index: number) => sqlParameter(manager.dataSource, index);
  const isOfRule = setId === null ? 'access_set_id IS NULL' : `access_set_id = ${parameter(1)}`;
  await manager.query(
    `UPDATE documents SET version = NULL, closed_version = ${newRuleColumns.closedVersion()},
       rules_version = ${newRuleColumns.rulesVersion()}
     WHERE kb_id = ${parameter(0)} AND state = 'active' AND status IN ('pending', 'processing', 'failed')
       AND replaced_at IS NOT NULL AND ${isOfRule}`,
    setId === null ? [kbId] : [kbId, setId],
  );
}

/**
 * The entries of a rule in `access_entries`: in the form in which they are compared, and as they were
 * written, for processes of the previous version.
 */
const toEntries = ({ id: setId, kbId, rule }: Pick<AccessSet, 'id' | 'kbId' | 'rule'>) =>
  (['allow', 'deny'] as const).flatMap((effect) =>
    [...new Set([...toPrincipals(rule[effect]), ...distinctNames(rule[effect])])].map(
      (principal) => ({ setId, kbId, effect, principal }),
    ),
  );

/**
 * Finds the entry of a rule that decides for somebody; readable.ts does the same in SQL.
 *
 * @param isTheirs whether an entry, as principals are compared, is one of theirs
 */
export function decideBy({ allow, deny }: AccessRule, isTheirs: (entry: string) => boolean) {
  const isMeant = (entry: string) => isTheirs(comparedPrincipal(entry));
  const [denied, allowed] = [deny.find(isMeant), allow.find(isMeant)];
  if (denied !== undefined) return { allowed: false, by: `deny ${denied}` };
  return allowed === undefined
    ? { allowed: false, by: 'no entry' }
    : { allowed: true, by: `allow ${allowed}` };
}
