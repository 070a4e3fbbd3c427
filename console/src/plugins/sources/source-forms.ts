import type { ConnectedSource } from '../../api.js';
import { parseJson } from '../../components/field.js';

/** `lines` has an entry in each line. */
type FieldKind = 'text' | 'url' | 'number' | 'lines' | 'json' | 'secret';

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind?: FieldKind;
  readonly required?: boolean;
  readonly hint?: string;
}

export interface SourceForm {
  readonly label: string;
  readonly config: readonly FormField[];
  readonly credentials: readonly FormField[];
  /** Whether a program outside runs it, so that it has no schedule and no connection. */
  readonly isRunOutside?: true;
}

const ACCESS: FormField = {
  name: 'access',
  label: 'Who may read what',
  kind: 'json',
  hint: 'By path, such as {"hr": {"allow": ["group:hr"]}}; the longest path that fits decides. Files .latchkey.yml in the folders hold as well. Empty: as the knowledge base says.',
};

const ACCESS_TAGS: FormField = {
  name: 'access_tags',
  label: 'Tags that say who may read',
  kind: 'json',
  hint: 'Such as {"allow": "latchkey:allow"}; an object without the tag is read by nobody. Empty: tags are not read.',
};

const USERNAME: FormField = { name: 'username', label: 'User name' };
const PASSWORD: FormField = {
  name: 'password',
  label: 'Password',
  kind: 'secret',
  hint: 'An app password, where the server has them',
};
const TOKEN: FormField = { name: 'token', label: 'Token', kind: 'secret' };

const FORMS: Record<string, SourceForm> = {
  website: {
    label: 'Website',
    config: [
      {
        name: 'start_urls',
        label: 'Start URLs',
        kind: 'lines',
        required: true,
        hint: 'One per line, such as https://docs.example.com/',
      },
      {
        name: 'sitemap_url',
        label: 'Sitemap',
        kind: 'url',
        hint: 'Its pages are read, too; their links are not followed',
      },
      {
        name: 'max_depth',
        label: 'Depth',
        kind: 'number',
        hint: 'How many links lead from a start address to the last page; 3 unless given',
      },
      {
        name: 'include',
        label: 'Include',
        kind: 'lines',
        hint: 'Only pages whose path fits a pattern; one per line, such as /guide/*',
      },
      {
        name: 'exclude',
        label: 'Exclude',
        kind: 'lines',
        hint: 'No pages whose path fits a pattern, such as */print',
      },
    ],
    credentials: [],
  },
  s3: {
    label: 'S3 bucket',
    config: [
      {
        name: 'endpoint',
        label: 'Endpoint',
        kind: 'url',
        required: true,
        hint: 'Such as https://s3.eu-central-1.amazonaws.com',
      },
      { name: 'region', label: 'Region' },
      { name: 'bucket', label: 'Bucket', required: true },
      { name: 'prefix', label: 'Prefix', hint: 'Only objects whose key begins with it' },
      ACCESS,
      ACCESS_TAGS,
    ],
    credentials: [
      { name: 'access_key_id', label: 'Access key id', required: true },
      { name: 'secret_access_key', label: 'Secret access key', kind: 'secret', required: true },
    ],
  },
  git: {
    label: 'Git repository',
    config: [
      {
        name: 'url',
        label: 'Address',
        kind: 'url',
        required: true,
        hint: 'Such as https://github.com/acme/handbook.git',
      },
      { name: 'branch', label: 'Branch', hint: 'The main one unless given' },
      { name: 'folder', label: 'Folder', hint: 'Only files in it' },
      ACCESS,
    ],
    credentials: [{ name: 'token', label: 'Token', kind: 'secret', hint: 'If it is private' }],
  },
  folder: {
    label: 'Folder of the server',
    config: [
      {
        name: 'path',
        label: 'Path',
        required: true,
        hint: 'In one of the folders of SOURCE_FOLDERS, such as /srv/docs',
      },
      ACCESS,
    ],
    credentials: [],
  },
  confluence: {
    label: 'Confluence space',
    config: [
      {
        name: 'base_url',
        label: 'Address',
        kind: 'url',
        required: true,
        hint: 'Such as https://acme.atlassian.net',
      },
      { name: 'space', label: 'Key of the space', required: true },
    ],
    credentials: [
      { name: 'email', label: 'Email', hint: 'Of Confluence Cloud; empty for Data Center' },
      { name: 'token', label: 'Token', kind: 'secret', required: true },
    ],
  },
  webdav: {
    label: 'WebDAV or Nextcloud',
    config: [
      {
        name: 'url',
        label: 'Address',
        kind: 'url',
        required: true,
        hint: 'Such as https://cloud.example.com/remote.php/dav/files/ada/Handbook, or a link to a share',
      },
      {
        name: 'include',
        label: 'Include',
        kind: 'lines',
        hint: 'Only files whose path fits a pattern; one per line, such as *.pdf',
      },
      {
        name: 'exclude',
        label: 'Exclude',
        kind: 'lines',
        hint: 'No files whose path fits a pattern, such as archive/*',
      },
      ACCESS,
    ],
    credentials: [USERNAME, PASSWORD, { ...TOKEN, hint: 'Instead of name and password' }],
  },
  imap: {
    label: 'Mailbox (IMAP)',
    config: [
      {
        name: 'url',
        label: 'Address',
        required: true,
        hint: 'Such as imaps://mail.example.com',
      },
      {
        name: 'folders',
        label: 'Folders',
        kind: 'lines',
        hint: 'One per line, such as Projects/*; INBOX unless given',
      },
      { name: 'since', label: 'Since', hint: 'Only mails from this day on, such as 2025-01-31' },
      ACCESS,
    ],
    credentials: [
      { ...USERNAME, required: true },
      PASSWORD,
      { ...TOKEN, hint: 'Of OAuth, instead of the password' },
    ],
  },
  oikb: {
    label: 'oikb (46 kinds)',
    isRunOutside: true,
    config: [
      {
        name: 'links',
        label: 'Address of a document',
        hint: 'Where people open it, such as https://wiki.example.com/{path}; {stem} is the path without the extension',
      },
      {
        name: 'account',
        label: 'Service account',
        hint: 'Whose keys mean this source where they name the knowledge base only, such as sa_…; may be empty',
      },
    ],
    credentials: [],
  },
};

const UNKNOWN: SourceForm = { label: 'Source', config: [], credentials: [] };

export const SOURCE_TYPES = Object.keys(FORMS);

/** The form of a type of source. */
export const getForm = (type: string): SourceForm => FORMS[type] ?? UNKNOWN;

/** Reads the fields whose names begin with `group`, without empty ones. */
export function readValues(
  fields: readonly FormField[],
  group: 'config' | 'credentials',
  form: HTMLFormElement,
): Record<string, unknown> {
  const entries = new FormData(form);
  const values: Record<string, unknown> = {};
  for (const { name, label, kind } of fields) {
    const value = entries.get(`${group}.${name}`);
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '') continue;
    if (kind === 'lines') values[name] = text.split(/\s*\n\s*/);
    else if (kind === 'json') values[name] = parseJson(text, `“${label}”`);
    else values[name] = kind === 'number' ? Number(text) : text;
  }
  return values;
}

/** Formats a value of a configuration for its field. */
export function formatValue(value: unknown, kind: FieldKind | undefined): string {
  if (value === undefined || value === null) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Formats the address of a source on one line. */
export function formatAddress({ type, config }: ConnectedSource): string {
  const values = getForm(type).config.filter(({ required }) => required === true);
  return values
    .map(({ name }) => formatValue(config[name], undefined).replaceAll('\n', ', '))
    .join(' ');
}

export function scheduleWords(schedule: ConnectedSource['schedule']): string {
  if (!schedule) return 'only when told to';
  const { every_minutes: minutes, cron, timezone } = schedule;
  if (typeof minutes === 'number')
    return minutes === 1 ? 'each minute' : `every ${minutes} minutes`;
  return `${cron} (${timezone})`;
}
