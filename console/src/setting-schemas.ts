import type { Settings } from './api.js';

/** The groups of the form, in their order. */
export const SETTING_GROUPS = ['Answers', 'Search', 'Documents', 'Limits', 'Privacy'] as const;

export type SettingGroup = (typeof SETTING_GROUPS)[number];

interface SettingSchema {
  readonly title: string;
  readonly description: string;
  readonly 'x-group': SettingGroup;
  readonly default: unknown;
  readonly type?: readonly ['string' | 'integer' | 'number' | 'boolean' | 'array', 'null'];
  /** Present for a setting that is a text for all languages, or an object of texts by language. */
  readonly anyOf?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** The values of a choice; null for the default. */
  readonly enum?: readonly (string | null)[];
}

export type SettingName = keyof Settings;

/** The schemas from openapi.json at the time of the build; see vite.config.ts. */
declare const SETTINGS_SCHEMA: Readonly<Record<SettingName, SettingSchema>>;
declare const ANSWER_SETTINGS: readonly SettingName[];

/** The settings that can be tried without saving them. */
export const ANSWER_SETTING_NAMES = ANSWER_SETTINGS;

export const settingSchema = (name: SettingName): SettingSchema => SETTINGS_SCHEMA[name];

export const getType = (name: SettingName) => settingSchema(name).type?.[0] ?? 'text by language';

/** A text of several lines, or a list with an entry on each line. */
export const isLong = (name: SettingName) =>
  ['array', 'text by language'].includes(getType(name)) ||
  (settingSchema(name).maxLength ?? 0) > 200;

/** The settings in the form; the others can only be set by the API. */
export const SETTING_NAMES = (Object.keys(SETTINGS_SCHEMA) as SettingName[]).filter(
  (name) => 'x-group' in settingSchema(name),
);

export const listSettings = (group: SettingGroup) =>
  SETTING_NAMES.filter((name) => settingSchema(name)['x-group'] === group);

/** The name of a group in the address. */
export const toGroupPath = (group: string) => group.toLowerCase();

/** Where the field of a setting is, below the page of the settings. */
export const settingPath = (name: SettingName) =>
  `${toGroupPath(settingSchema(name)['x-group'])}?field=${name}`;

/** The choices of a setting; undefined for one that is typed. */
export const listChoices = (name: SettingName): string[] | undefined =>
  settingSchema(name).enum?.filter((choice) => choice !== null);

/** Parses the text typed for a setting; null for an empty field. */
export function parseSetting(name: SettingName, text: string | undefined) {
  switch (getType(name)) {
    case 'boolean':
      return text === 'on';
    case 'integer':
    case 'number':
      return text === undefined ? null : Number(text);
    case 'array':
      return text?.trim().split(/\s+/) ?? null;
    case 'string':
      return text ?? null;
    case 'text by language':
      return text === undefined ? null : parseTextByLanguage(text);
  }
}

/** Formats the value of a setting for its field. */
export function formatSetting(value: Settings[SettingName] | undefined): string {
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .map(([language, text]) => `${language}: ${text}`)
    .join('\n');
}

/** Parses texts by language if each line begins with one, such as `de: Hallo!`; else returns the text. */
function parseTextByLanguage(text: string): string | Record<string, string> {
  const lines = text.trim().split('\n');
  const entries = lines.map((line) => /^([a-z]{2,3}(?:-\w+)*):\s*(.+)$/.exec(line.trim()));
  if (entries.some((entry) => entry === null)) return text;
  return Object.fromEntries(entries.map((entry) => [entry?.[1] ?? '', entry?.[2] ?? '']));
}
