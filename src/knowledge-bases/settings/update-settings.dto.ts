import { ApiSchema, PickType } from '@nestjs/swagger';
import { OverridesType } from '../../platform/openapi/overrides-type.js';
import { SettingsDto } from './settings.dto.js';
import { ANSWER_SETTINGS, type StoredSettings } from './settings.js';

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

/** @param overrides null restores a default */
export const overrideSettings = (
  stored: StoredSettings | null | undefined,
  overrides: UpdateSettingsDto,
): StoredSettings =>
  Object.fromEntries(
    Object.entries({ ...stored, ...definedIn(overrides) }).filter(([, value]) => value !== null),
  );

/** Removes fields that the request left out: the pipe's instance has a property for each field. */
const definedIn = (dto: UpdateSettingsDto): UpdateSettingsDto =>
  Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined));
