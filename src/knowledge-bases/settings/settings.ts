import { SettingsDto } from './settings.dto.js';

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The settings of a knowledge base, set or by default. */
export type Settings = {
  readonly [Name in keyof SettingsDto as CamelCase<Name>]: SettingsDto[Name];
};

/** The settings that a knowledge base has set. Missing ones have their default. */
export type StoredSettings = Partial<SettingsDto>;

/** The settings that affect an answer. */
export const ANSWER_SETTINGS = [
  'system_prompt',
  'temperature',
  'model',
  'top_k',
  'min_score',
  'answer_threshold',
  'refusal_text',
  'greeting',
  'fallback_to_extractive',
] as const satisfies (keyof SettingsDto)[];

export type AnswerSettings = Pick<SettingsDto, (typeof ANSWER_SETTINGS)[number]>;

const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Each setting's name in the API and the database, and its name in the code. */
const SETTINGS = Object.keys(new SettingsDto()).map((name) => [name, camelCase(name)] as const);

const DEFAULTS = toSettings({});

export function toSettings(stored: StoredSettings | null): Settings {
  // Most knowledge bases set nothing, and every request reads its settings.
  if (stored === null) return DEFAULTS;
  const values = new Map(Object.entries({ ...new SettingsDto(), ...stored }));
  return Object.fromEntries(
    SETTINGS.map(([name, property]) => [property, values.get(name)]),
  ) as Settings;
}

export function toSettingsDto(settings: Settings): SettingsDto {
  const values = new Map(Object.entries<unknown>(settings));
  const fields = SETTINGS.map(([name, property]) => [name, values.get(property)]);
  return Object.assign(new SettingsDto(), Object.fromEntries(fields) as object);
}

export function pickAnswerSettings(settings: Settings): AnswerSettings {
  const names: readonly string[] = ANSWER_SETTINGS;
  return Object.fromEntries(
    Object.entries(toSettingsDto(settings)).filter(([name]) => names.includes(name)),
  ) as AnswerSettings;
}
