import type { EntityManager } from 'typeorm';
import type { Document } from '../../documents/document.entity.js';
import { accessSetFor } from '../../knowledge-bases/access-rules/access-rules.js';
import { AccessSet } from '../../knowledge-bases/access-rules/access-set.entity.js';
import type { Settings } from '../../knowledge-bases/settings/settings.js';

/**
 * Finds the access set for a version: with the rule of its document as it is now. A named set, or the default, that
 * is widened later must not open what was replaced before.
 */
export async function freezeRule(
  manager: EntityManager,
  { kbId, accessSetId }: Pick<Document, 'kbId' | 'accessSetId'>,
  { defaultAccess }: Pick<Settings, 'defaultAccess'>,
): Promise<string | null> {
  if (accessSetId === null) {
    if (defaultAccess !== 'closed') return null;
    return (await accessSetFor(manager, kbId, { access: { allow: [], deny: [] } })) ?? null;
  }
  const set = await manager.findOneBy(AccessSet, { id: accessSetId });
  // A set without a name is of one rule, and never changes.
  if (!set || set.name === null) return accessSetId;
  return (await accessSetFor(manager, kbId, { access: set.rule })) ?? null;
}
