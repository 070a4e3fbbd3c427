import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StoredContent } from '../../documents/contents/stored-content.entity.js';
import { DocumentContent } from '../../documents/document-content.entity.js';
import { Document } from '../../documents/document.entity.js';
import { KeepsVersions, type VersionKeeper } from '../../documents/version-keeper.js';
import type { Actor } from '../../knowledge-bases/events/event.js';
import { shownId } from '../../knowledge-bases/events/events.js';
import { KnowledgeBaseSettings } from '../../knowledge-bases/settings/knowledge-base-settings.entity.js';
import { toSettings } from '../../knowledge-bases/settings/settings.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { newId } from '../../platform/http/type-id.js';
import { deleteOldest } from './delete-oldest.js';
import { freezeRule } from './freeze-rule.js';

/** A version takes no other document's place, and no source loads it. */
const RELATED_TO_NONE = {
  ...{ supersedes: null, supersededBy: null, supersededAt: null },
  ...{ sourceId: null, sourceKey: null, sourceVersion: null, sourceAccess: null },
} as const;

/** Keeps the contents that are replaced, as the settings of the knowledge base say. */
@Injectable()
@KeepsVersions()
export class ReplacedContents implements VersionKeeper {
  async keep(manager: EntityManager, actor: Actor, document: Document): Promise<boolean> {
    const { kbId, id, replacedAt } = document;
    const stored = await manager.findOneBy(KnowledgeBaseSettings, { kbId });
    const settings = toSettings(stored?.settings ?? null);
    const { versionRetentionDays, versionLimit } = settings;
    if (versionRetentionDays === 0) return false;
    await deleteOldest(manager, id, versionLimit - 1);
    // The searchable passages are of an earlier content if this one has not been indexed.
    const unindexed =
      replacedAt === null ? {} : { version: null, passageCount: 0, indexedAt: null };
    const { accessSet: _rule, ...columns } = document;
    const version = {
      ...{ ...columns, ...unindexed, ...RELATED_TO_NONE },
      accessSetId: await freezeRule(manager, document, settings),
      id: newId('doc'),
      state: 'kept',
      versionOf: id,
      contentSince: replacedAt ?? document.contentSince ?? document.createdAt,
      replacedAt: await databaseNow(manager),
      replacedBy: shownId(actor),
    } as const;
    await manager.createQueryBuilder().insert().into(Document).values(version).execute();
    const owner = { documentId: version.id };
    await manager.update(DocumentContent, { documentId: id }, owner);
    await manager.update(StoredContent, { documentId: id }, owner);
    return true;
  }
}
