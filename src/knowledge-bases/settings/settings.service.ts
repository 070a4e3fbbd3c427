import { Events } from '../events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, In, Repository } from 'typeorm';
import { hideFormerContent } from '../access-rules/access-rules.js';
import { changedFields } from '../audit/changed-fields.js';
import { countsAlike } from '../budgets/budget.js';
import { forgetEndUserCounts } from '../budgets/budget-counts.js';
import { Config } from '../../platform/config/config.js';
import { awaitBatches } from '../../platform/database/row-batches.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { invalidField } from '../../platform/problems/problem.js';
import { KnowledgeBaseAccess } from '../knowledge-base-access.js';
import { KnowledgeBaseSettings } from './knowledge-base-settings.entity.js';
import { allowedModel, requireAllowedModel } from './models.js';
import type { SettingsDto } from './settings.dto.js';
import { type Settings, type StoredSettings, toSettings, toSettingsDto } from './settings.js';
import type { AnswerSettingsDto, UpdateSettingsDto } from './update-settings.dto.js';

@Injectable()
export class SettingsService {
  constructor(
    @InjectRepository(KnowledgeBaseSettings)
    private readonly settings: Repository<KnowledgeBaseSettings>,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  async get(user: DashboardUser, kbId: string): Promise<SettingsDto> {
    await this.knowledgeBases.requireMember(user, kbId);
    return toSettingsDto(await this.load(kbId));
  }

  async update(user: DashboardUser, kbId: string, dto: UpdateSettingsDto): Promise<SettingsDto> {
    const fields = changedFields(dto).sort();
    if (fields.length === 0) return this.get(user, kbId);
    const role = dto.legal_hold === undefined ? 'member' : 'owner';
    const options = { role, lock: 'knowledge base' } as const;
    const updated = await this.knowledgeBases.change(user, kbId, options, async (manager) => {
      requireAllowedModel(this.config.model, dto.model, 'model');
      const row = await manager.findOneBy(KnowledgeBaseSettings, { kbId });
      const stored = override(row?.settings, dto);
      const settings = this.withAllowedModel(toSettings(stored));
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

  async load(kbId: string): Promise<Settings> {
    return this.withAllowedModel(toSettings(await this.stored(this.settings.manager, kbId)));
  }

  /**
   * Loads the settings with the overrides of one request, its field `settings`.
   *
   * @throws Problem `validation_failed` for a model that the operator does not list
   */
  async loadWith(kbId: string, overrides: AnswerSettingsDto = {}): Promise<Settings> {
    requireAllowedModel(this.config.model, overrides.model, 'settings.model');
    return this.withAllowedModel(
      toSettings(override(await this.stored(this.settings.manager, kbId), overrides)),
    );
  }

  /** Loads the settings of several knowledge bases, by id. */
  async loadEach(kbIds: readonly string[]): Promise<Map<string, Settings>> {
    const rows = await this.settings.findBy({ kbId: In(kbIds) });
    const stored = new Map(rows.map(({ kbId, settings }) => [kbId, settings]));
    return new Map(
      kbIds.map((kbId) => [kbId, this.withAllowedModel(toSettings(stored.get(kbId) ?? null))]),
    );
  }

  /**
   * The longest life of new keys for these knowledge bases, by their settings and by the policy of the
   * service; null for no limit. Call it in the transaction that creates the key.
   */
  async keyMaxAgeDays(manager: EntityManager, kbIds: readonly string[]): Promise<number | null> {
    const rows = await manager.findBy(KnowledgeBaseSettings, { kbId: In(kbIds) });
    const limits = [
      ...rows.flatMap(({ settings }) => toSettings(settings).keyMaxAgeDays ?? []),
      ...(this.config.KEY_POLICY_MAX_AGE_DAYS === undefined
        ? []
        : [this.config.KEY_POLICY_MAX_AGE_DAYS]),
    ];
    return limits.length > 0 ? Math.min(...limits) : null;
  }

  /** Finds the knowledge bases that keep conversations for a limited time and are not under a legal hold. */
  async retentions(): Promise<{ kbId: string; retentionDays: number }[]> {
    const rows = await this.settings.find();
    return rows.flatMap(
      ({ kbId, settings: { retention_days: retentionDays, legal_hold: held } }) =>
        typeof retentionDays === 'number' && held !== true ? [{ kbId, retentionDays }] : [],
    );
  }

  /** Replaces a model that is not allowed by the operator's model. */
  withAllowedModel(settings: Settings): Settings {
    return { ...settings, model: allowedModel(this.config.model, settings.model) };
  }

  private async stored(manager: EntityManager, kbId: string): Promise<StoredSettings | null> {
    return (await manager.findOneBy(KnowledgeBaseSettings, { kbId }))?.settings ?? null;
  }
}

/** @param overrides null brings back a default */
const override = (
  stored: StoredSettings | null | undefined,
  overrides: UpdateSettingsDto,
): StoredSettings =>
  Object.fromEntries(
    Object.entries({ ...stored, ...definedIn(overrides) }).filter(([, value]) => value !== null),
  );

/** Removes fields that the request left out: the pipe's instance has a property for each field. */
const definedIn = (dto: UpdateSettingsDto): UpdateSettingsDto =>
  Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined));
