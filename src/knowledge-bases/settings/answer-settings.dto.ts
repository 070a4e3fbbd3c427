import { PickType } from '@nestjs/swagger';
import { SettingsDto, UpdateSettingsDto } from './settings.dto.js';

/** The settings that decide about an answer. */
const NAMES = [
  'system_prompt',
  'temperature',
  'model',
  'top_k',
  'min_score',
  'answer_threshold',
  'refusal_text',
  'fallback_to_extractive',
] as const;

export class EvaluatedSettingsDto extends PickType(SettingsDto, NAMES) {}

/**
 * Settings that a request overrides: those that decide about an answer. Null brings back the default;
 * what is left out is as the knowledge base has it.
 */
export class AnswerSettingsDto extends PickType(UpdateSettingsDto, NAMES) {}
