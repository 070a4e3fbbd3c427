import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { awaitBatches } from '../../platform/database/row-batches.js';
import { invalidField } from '../../platform/problems/problem.js';
import { hideFormerContent } from '../access-rules/access-rules.js';
import { changedFields } from '../audit/changed-fields.js';
import { countsAlike } from '../budgets/budget.js';
import { forgetEndUserCounts } from '../budgets/budget-counts.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { Events } from '../events/events.js';
import { KnowledgeBaseAccess } from '../knowledge-base-access.js';
import { KnowledgeBaseSettings } from './knowledge-base-settings.entity.js';
import { requireAllowedModel } from './models.js';
import type { SettingsDto } from './settings.dto.js';
import { toSettings, toSettingsDto } from './settings.js';
import { SettingsService } from './settings.service.js';
import { overrideSettings, type UpdateSettingsDto } from './update-settings.dto.js';

/** Shows the settings of a knowledge base to its members, and changes them. */
@Injectable()
export class SettingsEditor {
  constructor(
    private readonly settings: SettingsService,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  async get(user: DashboardUser, kbId: string): Promise<SettingsDto> {
    await this.knowledgeBases.requireMember(user, kbId);
    return toSettingsDto(await this.settings.load(kbId));
  }

  async update(user: DashboardUser, kbId: string, dto: UpdateSettingsDto): Promise<SettingsDto> {
    const fields = changedFields(dto).sort();
    if (fields.length === 0) return this.get(user, kbId);
    const role = dto.legal_hold === undefined ? 'member' : 'owner';
    const options = { role, lock: 'knowledge base' } as const;
    const updated = await this.knowledgeBases.change(user, kbId, options, async (manager) => {
      requireAllowedModel(this.config.model, dto.model, 'model');
      const row = await manager.findOneBy(KnowledgeBaseSettings, { kbId });
      const stored = overrideSettings(row?.settings, dto);
      const settings = this.settings.withAllowedModel(toSettings(stored));
      const isHeld = row?.settings.legal_hold ?? false;
      // This comes before any write that a batch may delete.
      if (settings.legalHold !== isHeld) await awaitBatches(manager);
      if (settings.chunkOverlap * 2 >= settings.chunkSize) {
        throw invalidField('chunk_overlap', 'chunk_overlap must be less than half of chunk_size');
      }
      if (settings.defaultAccess !== toSettings(row?.settings ?? null).defaultAccess) {
        await hideFormerContent(manager, kbId, null);
      }
      const { budget_per_end_user: budget } = stored;
      if (budget && !countsAlike(budget, row?.settings.budget_per_end_user)) {
        // Earlier usage in another unit or period is counted again from the records of usage.
        await forgetEndUserCounts(manager, kbId);
      }
      await manager.upsert(KnowledgeBaseSettings, { kbId, settings: stored }, ['kbId']);
      await this.events.recordChange(manager, user, {
        kbId,
        action: 'settings.updated',
        targetId: kbId,
        details: { fields },
      });
      if (settings.legalHold !== isHeld) {
        const action = settings.legalHold ? 'legal_hold.set' : 'legal_hold.lifted';
        await this.events.recordChange(manager, user, { kbId, action, targetId: kbId });
      }
      return settings;
    });
    return toSettingsDto(updated);
  }
}
