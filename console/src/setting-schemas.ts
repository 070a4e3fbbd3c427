import type { Settings } from './api.js';

interface SettingSchema {
  readonly title: string;
  readonly description: string;
  readonly 'x-group': string;
  readonly type: readonly ['string' | 'integer' | 'number' | 'boolean' | 'array', 'null'];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

export type SettingName = keyof Settings;

/** As openapi.json has them when the console is built; see vite.config.ts. */
declare const SETTINGS_SCHEMA: Readonly<Record<SettingName, SettingSchema>>;
declare const ANSWER_SETTINGS: readonly SettingName[];

/** What can be tried without saving it. */
export const ANSWER_SETTING_NAMES = ANSWER_SETTINGS;

export const settingSchema = (name: SettingName): SettingSchema => SETTINGS_SCHEMA[name];

export const typeOf = (name: SettingName) => settingSchema(name).type[0];

/** A text of several lines, or a list with an entry on each line. */
export const isLong = (name: SettingName) =>
  typeOf(name) === 'array' || (settingSchema(name).maxLength ?? 0) > 200;

export const SETTING_NAMES = Object.keys(SETTINGS_SCHEMA) as SettingName[];

export const SETTING_GROUPS = [
  ...new Set(SETTING_NAMES.map((name) => settingSchema(name)['x-group'])),
];

/** What was typed for a setting; null for nothing. */
export function typedSetting(name: SettingName, text: string | undefined) {
  switch (typeOf(name)) {
    case 'boolean':
      return text === 'on';
    case 'integer':
    case 'number':
      return text === undefined ? null : Number(text);
    case 'array':
      return text?.trim().split(/\s+/) ?? null;
    case 'string':
      return text ?? null;
  }
}
