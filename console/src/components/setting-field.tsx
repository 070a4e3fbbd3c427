import type { Settings } from '../api.js';
import {
  listChoices,
  isLong,
  type SettingName,
  settingSchema,
  formatSetting,
  getType,
} from '../setting-schemas.js';
import { choiceWords, SETTING_HINTS } from '../setting-words.js';
import { Input, Select, TextArea } from './field.js';
import { Prose } from './prose.js';

interface SettingFieldProps {
  readonly name: SettingName;
  readonly value?: Settings[SettingName];
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly hint?: string | undefined;
  readonly error: unknown;
}

/** The field of a setting that is no boolean; an empty field restores the default. */
export function SettingField({ name, value, hint, ...rest }: SettingFieldProps) {
  const { title, description, minimum, maximum, maxLength } = settingSchema(name);
  const type = getType(name);
  const field = {
    ...rest,
    name,
    label: title,
    defaultValue: formatSetting(value),
    hint: hint ?? <Prose text={SETTING_HINTS[name] ?? description} />,
  };
  const length = maxLength !== undefined && { maxLength };
  const choices = listChoices(name);
  if (choices) {
    const { defaultValue, ...select } = field;
    return (
      <Select {...select} initial={defaultValue}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choiceWords(name, choice)}
          </option>
        ))}
      </Select>
    );
  }
  if (isLong(name)) return <TextArea {...field} {...length} />;
  if (type === 'string') return <Input {...field} {...length} />;
  return (
    <Input
      {...field}
      type="number"
      step={type === 'integer' ? '1' : 'any'}
      {...(minimum !== undefined && { min: minimum })}
      {...(maximum !== undefined && { max: maximum })}
    />
  );
}
