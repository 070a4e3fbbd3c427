import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, In, Repository } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { KnowledgeBaseSettings } from './knowledge-base-settings.entity.js';
import { allowedModel, requireAllowedModel } from './models.js';
import { type Settings, type StoredSettings, toSettings } from './settings.js';
import { type AnswerSettingsDto, overrideSettings } from './update-settings.dto.js';

/** Reads the settings that apply. */
@Injectable()
export class SettingsService {
  constructor(
    @InjectRepository(KnowledgeBaseSettings)
    private readonly settings: Repository<KnowledgeBaseSettings>,
    private readonly config: Config,
  ) {}

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
      toSettings(overrideSettings(await this.stored(this.settings.manager, kbId), overrides)),
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
