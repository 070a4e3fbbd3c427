import { ApiSchema, PickType } from '@nestjs/swagger';
import { OverridesType } from '../../platform/openapi/overrides-type.js';
import { SettingsDto } from './settings.dto.js';
import { ANSWER_SETTINGS } from './settings.js';

@ApiSchema({
  description:
    'SettingsDto says what each field is. Null brings back the default; what is left out stays.',
})
export class UpdateSettingsDto extends OverridesType(SettingsDto) {}

/** Settings that a request overrides, among those that affect an answer. */
@ApiSchema({
  description:
    'SettingsDto says what each field is. Null brings back the default; what is left out is as the knowledge base has it.',
})
export class AnswerSettingsDto extends PickType(UpdateSettingsDto, ANSWER_SETTINGS) {}

export class EvaluatedSettingsDto extends PickType(SettingsDto, ANSWER_SETTINGS) {}
