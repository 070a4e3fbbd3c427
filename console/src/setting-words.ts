import { type SettingName, settingSchema } from './setting-schemas.js';

/** Hints of the form for settings whose API description is about fields and null. */
export const SETTING_HINTS: Partial<Record<SettingName, string>> = {
  system_prompt: 'Given to the model before the passages.',
  temperature: 'From 0 to 2. Empty: as the provider has it.',
  model:
    'One that the operator lists, or `extractive` to quote without one. Empty: the operator’s.',
  fallback_to_extractive: 'Else the request fails.',
  originals: 'Who opens the files that documents were read from.',
  default_access: 'Who reads documents that have no rule of their own.',
  top_k: 'Where the request names no number.',
  min_score: 'Passages below it are left out. Empty: none is.',
  answer_threshold:
    'How sure an answer without a model must be, from 0 (always answer) to 1. Empty: so sure that few wrong answers are given.',
  refusal_text:
    'The answer where the documents have none. For several languages a line for each, such as `de: Das weiß ich nicht.` Empty: in the language of the question.',
  greeting:
    'The answer to greetings and thanks; for several languages a line for each. Empty: it names what the documents are about.',
  history_messages: 'Messages of a conversation that the model gets.',
  chunk_size: 'Holds for documents that are read from then on.',
  chunk_overlap: 'Words that a passage repeats of the one before.',
  ocr: 'In scanned pages and pictures.',
  ocr_max_pages: 'Of one document, at most.',
  rate_limit_per_minute: 'Of each key without a limit of its own.',
  rate_limit_per_end_user: 'Per minute. Empty: any number.',
  daily_message_limit: 'Of all keys together, by days of UTC. Empty: any number.',
  allowed_origins: 'One per line, such as `https://shop.example.com`. Empty: any.',
  retention_days:
    'Conversations are erased so long after their last message. Empty: they are kept.',
  key_max_age_days: 'Holds for keys that are created from then on. Empty: any age.',
  legal_hold:
    'While it is on, nothing is deleted, replaced or erased, by nobody. Only owners change it.',
};

/** What an empty field stands for, where that is no value. */
const EMPTY: Partial<Record<SettingName, string>> = {
  temperature: 'the provider’s',
  model: 'the operator’s',
  min_score: 'none',
  answer_threshold: 'few wrong answers',
  refusal_text: 'In the language of the question',
  greeting: 'Names what the documents are about',
  system_prompt: 'None',
  rate_limit_per_end_user: 'any number',
  daily_message_limit: 'any number',
  allowed_origins: 'Any',
  retention_days: 'kept for good',
  key_max_age_days: 'any age',
};

/** What an empty field stands for: the default. */
export function defaultWords(name: SettingName): string {
  const { default: usual } = settingSchema(name);
  return typeof usual === 'number' ? String(usual) : (EMPTY[name] ?? '');
}

const CHOICES: Partial<Record<SettingName, Readonly<Record<string, string>>>> = {
  originals: { members: 'members', readers: 'whoever gets answers from them' },
  default_access: { members: 'whoever may ask', closed: 'nobody' },
  ocr: { auto: 'where a page has no text', always: 'on each page', off: 'never' },
};

/** A choice in words. */
export const choiceWords = (name: SettingName, choice: string): string =>
  CHOICES[name]?.[choice] ?? choice;
