import { PickType } from '@nestjs/swagger';
import { SettingsDto } from '../settings/settings.dto.js';

/** The settings that decide about an answer. */
export class EvaluatedSettingsDto extends PickType(SettingsDto, [
  'system_prompt',
  'temperature',
  'model',
  'top_k',
  'min_score',
  'answer_threshold',
  'refusal_text',
  'fallback_to_extractive',
]) {}
