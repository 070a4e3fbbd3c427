import type { Settings } from '../api.js';
import {
  ANSWER_SETTING_NAMES,
  isLong,
  type SettingName,
  settingSchema,
  shownSetting,
  typedSetting,
  typeOf,
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
      const now = saved && (isLong(name) ? '' : `Now ${nowWords(saved[name])}`);
      const disabled = !mayChange && FOR_MEMBERS.includes(name);
      if (typeOf(name) === 'boolean') {
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
          placeholder={isLong(name) ? shownSetting(saved?.[name]) : ''}
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

const nowWords = (value: Settings[SettingName]) =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : shownSetting(value) || 'the default';

/** What was typed there; undefined if nothing was. */
export function answerSettingsOf(fields: Record<string, string>) {
  const typed = ANSWER_SETTING_NAMES.filter((name) => fields[name] !== undefined);
  if (typed.length === 0) return undefined;
  const settings: Partial<Settings> = Object.fromEntries(
    typed.map((name) => [name, typedSetting(name, fields[name])]),
  );
  return settings;
}
