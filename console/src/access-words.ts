import type { AccessRule, Settings } from './api.js';

const MANY = 6;
const LIST = new Intl.ListFormat('en');

/** The readers of a rule, such as “everyone, but not the group guests”. */
export function readersWords({ allow, deny = [] }: AccessRule): string {
  const readers = allow.length === 0 ? 'nobody' : entriesWords(allow);
  return deny.length === 0 ? readers : `${readers}, but not ${entriesWords(deny)}`;
}

/** The readers of a rule, with a capital letter for the beginning of a sentence. */
export function ruleWords(rule: AccessRule): string {
  const words = readersWords(rule);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lists entries, such as “the groups hr and support, and the user anna”. */
export function entriesWords(entries: readonly string[]): string {
  if (entries.includes('everyone')) return 'everyone';
  return [listNames('group', entries), listNames('user', entries)]
    .filter((words) => words !== '')
    .join(', and ');
}

function listNames(kind: 'group' | 'user', entries: readonly string[]): string {
  const names = entries
    .filter((entry) => entry.startsWith(`${kind}:`))
    .map((entry) => entry.slice(kind.length + 1));
  if (names.length === 0) return '';
  const shown = names.slice(0, MANY);
  if (names.length > MANY) shown.push(`${names.length - MANY} more`);
  return `the ${kind}${names.length === 1 ? '' : 's'} ${LIST.format(shown)}`;
}

export const defaultWords = (access: Settings['default_access'] | undefined) =>
  access === 'closed' ? 'Nobody' : 'Whoever may ask this knowledge base';

/** The result of an access check in words. */
export function checkWords({ allowed, by }: { allowed: boolean; by: string }): string {
  if (by === 'default_access members') {
    return 'Yes, if they may ask this knowledge base: the document has no rule of its own.';
  }
  if (by === 'default_access closed') {
    return 'No: the document has no rule of its own, and such documents are closed.';
  }
  const entry = /^(?:allow|deny) (.+)$/s.exec(by)?.[1];
  if (entry === undefined) return 'No: nothing allows them.';
  const who = entriesWords([entry]);
  return allowed ? `Yes: ${who} is allowed.` : `No: ${who} is denied.`;
}

/** Splits the text of a field into its lines, without empty ones. */
export const splitLines = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Converts a user and groups to entries as rules have them. */
export const toPrincipals = (user: string | undefined, groups: string | undefined): string[] => [
  ...(user === undefined ? [] : [`user:${user.trim()}`]),
  ...splitLines(groups).map((group) => `group:${group}`),
];
