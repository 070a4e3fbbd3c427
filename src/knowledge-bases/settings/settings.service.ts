import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, IsNull, Not, Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { Config } from '../../platform/config/config.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { invalidField } from '../../platform/problems/problem.js';
import { KnowledgeBaseAccess } from '../knowledge-base-access.js';
import type { AnswerSettingsDto } from './answer-settings.dto.js';
import { KnowledgeBaseSettings } from './knowledge-base-settings.entity.js';
import { allowedModel, requireAllowedModel } from './models.js';
import { SettingsDto, toSettingsDto, UpdateSettingsDto } from './settings.dto.js';

type Overrides = Omit<KnowledgeBaseSettings, 'kbId' | 'knowledgeBase'>;

export const SETTINGS_DEFAULTS = {
  systemPrompt: null,
  temperature: null,
  model: null,
  topK: 5,
  minScore: null,
  answerThreshold: null,
  refusalText: 'I could not find anything about this in the knowledge base.',
  historyMessages: 10,
  chunkSize: 300,
  chunkOverlap: 30,
  rateLimitPerMinute: 6000,
  rateLimitPerEndUser: null,
  dailyMessageLimit: null,
  allowedOrigins: null,
  retentionDays: null,
  keyMaxAgeDays: null,
  fallbackToExtractive: false,
} satisfies { [Name in keyof Overrides]: Overrides[Name] };

/** The settings of a knowledge base: its overrides, else the defaults. */
export type Settings = {
  readonly [Name in keyof Overrides]: (typeof SETTINGS_DEFAULTS)[Name] extends null
    ? Overrides[Name]
    : NonNullable<Overrides[Name]>;
};

const ANSWER_SETTINGS = [
  'systemPrompt',
  'temperature',
  'model',
  'topK',
  'minScore',
  'answerThreshold',
  'refusalText',
  'fallbackToExtractive',
] as const satisfies (keyof Settings)[];

/** The settings that decide about an answer. */
export type AnswerSettings = Pick<Settings, (typeof ANSWER_SETTINGS)[number]>;

export const answerSettingsOf = (settings: Settings): AnswerSettings =>
  Object.fromEntries(
    ANSWER_SETTINGS.map((name) => [name, settings[name]]),
  ) as unknown as AnswerSettings;

@Injectable()
export class SettingsService {
  constructor(
    @InjectRepository(KnowledgeBaseSettings)
    private readonly settings: Repository<KnowledgeBaseSettings>,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly auditLog: AuditLog,
    private readonly config: Config,
  ) {}

  async get(user: DashboardUser, kbId: string): Promise<SettingsDto> {
    await this.knowledgeBases.requireMember(user, kbId);
    return toSettingsDto(await this.of(kbId));
  }

  async update(user: DashboardUser, kbId: string, dto: UpdateSettingsDto): Promise<SettingsDto> {
    const fields = Object.keys(dto).filter((field) => dto[field as keyof typeof dto] !== undefined);
    if (fields.length === 0) return this.get(user, kbId);
    const { model } = this.config;
    const options = { role: 'member', lock: 'knowledge base' } as const;
    const updated = await this.knowledgeBases.change(user, kbId, options, async (manager) => {
      requireAllowedModel(model, dto.model, 'model');
      await manager.upsert(KnowledgeBaseSettings, { kbId, ...toOverrides(dto) }, ['kbId']);
      const settings = this.effective(await manager.findOneBy(KnowledgeBaseSettings, { kbId }));
      if (settings.chunkOverlap * 2 >= settings.chunkSize) {
        throw invalidField('chunk_overlap', 'chunk_overlap must be less than half of chunk_size');
      }
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'settings.updated',
        targetId: kbId,
        details: { fields },
      });
      return settings;
    });
    return toSettingsDto(updated);
  }

  async of(kbId: string): Promise<Settings> {
    return this.effective(await this.settings.findOneBy({ kbId }));
  }

  /**
   * The settings with the overrides of one request, its field `settings`.
   *
   * @throws Problem `validation_failed` for a model that the operator does not list
   */
  async with(kbId: string, overrides: AnswerSettingsDto = {}): Promise<Settings> {
    requireAllowedModel(this.config.model, overrides.model, 'settings.model');
    const given = Object.entries<unknown>(toOverrides(overrides)).filter(
      ([, value]) => value !== undefined,
    );
    const settings = Object.fromEntries(
      given.map(([name, value]) => [
        name,
        value ?? SETTINGS_DEFAULTS[name as keyof typeof SETTINGS_DEFAULTS],
      ]),
    ) as Partial<Settings>;
    return { ...(await this.of(kbId)), ...settings };
  }

  /** How long new keys work at most; null for no limit. In the transaction that creates the key. */
  async keyMaxAgeDays(manager: EntityManager, kbId: string): Promise<number | null> {
    return (await manager.findOneBy(KnowledgeBaseSettings, { kbId }))?.keyMaxAgeDays ?? null;
  }

  /** The knowledge bases that keep conversations for a limited time. */
  async retentions(): Promise<{ kbId: string; retentionDays: number }[]> {
    const set = await this.settings.findBy({ retentionDays: Not(IsNull()) });
    return set.map(({ kbId, retentionDays }) => ({ kbId, retentionDays: Number(retentionDays) }));
  }

  private effective(overrides: KnowledgeBaseSettings | null): Settings {
    const given = Object.entries(overrides ?? {}).filter(
      ([name, value]) => name in SETTINGS_DEFAULTS && value !== null,
    );
    const settings = { ...SETTINGS_DEFAULTS, ...(Object.fromEntries(given) as Partial<Settings>) };
    return { ...settings, model: allowedModel(this.config.model, settings.model) };
  }
}

const toOverrides = (dto: UpdateSettingsDto): Partial<Overrides> => ({
  systemPrompt: dto.system_prompt,
  temperature: dto.temperature,
  model: dto.model,
  topK: dto.top_k,
  minScore: dto.min_score,
  answerThreshold: dto.answer_threshold,
  refusalText: dto.refusal_text,
  historyMessages: dto.history_messages,
  chunkSize: dto.chunk_size,
  chunkOverlap: dto.chunk_overlap,
  rateLimitPerMinute: dto.rate_limit_per_minute,
  rateLimitPerEndUser: dto.rate_limit_per_end_user,
  dailyMessageLimit: dto.daily_message_limit,
  allowedOrigins: dto.allowed_origins,
  retentionDays: dto.retention_days,
  keyMaxAgeDays: dto.key_max_age_days,
  fallbackToExtractive: dto.fallback_to_extractive,
});
