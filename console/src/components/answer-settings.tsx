import type { Settings } from '../api.js';
import {
  ANSWER_SETTING_NAMES,
  isLong,
  type SettingName,
  settingSchema,
  formatSetting,
  parseSetting,
  getType,
} from '../setting-schemas.js';
import { Select } from './field.js';
import { SettingField } from './setting-field.js';

const FOR_MEMBERS: readonly SettingName[] = ['answer_threshold', 'model', 'system_prompt'];

/**
 * An empty field leaves a setting as it is saved. Viewers may not try the model, its instructions and
 * the answer threshold.
 */
export function AnswerSettingsFields(props: {
  saved: Settings | undefined;
  mayChange: boolean;
  error: unknown;
}) {
  const { saved, mayChange, error } = props;
  const fields = (names: readonly SettingName[]) =>
    names.map((name) => {
      const now = saved && (isLong(name) ? '' : `Now ${formatCurrent(saved[name])}`);
      const disabled = !mayChange && FOR_MEMBERS.includes(name);
      if (getType(name) === 'boolean') {
        return (
          <Select
            key={name}
            label={settingSchema(name).title}
            name={name}
            disabled={disabled}
            error={error}
            hint={now}
          >
            <option value="">as saved</option>
            <option value="on">yes</option>
            <option value="off">no</option>
          </Select>
        );
      }
      return (
        <SettingField
          key={name}
          name={name}
          disabled={disabled}
          placeholder={isLong(name) ? formatSetting(saved?.[name]) : ''}
          error={error}
          hint={now}
        />
      );
    });
  return (
    <>
      <div class="columns">{fields(ANSWER_SETTING_NAMES.filter((name) => !isLong(name)))}</div>
      {fields(ANSWER_SETTING_NAMES.filter(isLong))}
    </>
  );
}

const formatCurrent = (value: Settings[SettingName]) =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : formatSetting(value) || 'the default';

/** Reads the settings that were filled in; undefined if none was. */
export function readAnswerSettings(fields: Record<string, string>) {
  const typed = ANSWER_SETTING_NAMES.filter((name) => fields[name] !== undefined);
  if (typed.length === 0) return undefined;
  const settings: Partial<Settings> = Object.fromEntries(
    typed.map((name) => [name, parseSetting(name, fields[name])]),
  );
  return settings;
}
