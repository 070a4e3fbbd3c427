import { readAccessMap } from '../access-map.js';
import { ConfigFields } from '../config-fields.js';
import { type SourceContext, SourceError, type SourceKind } from '../source-kind.js';
import { type ImapCredentials, parseServerAddress } from './imap-server.js';
import { type ImapConfig, OpenMailbox } from './open-mailbox.js';

/** Folders of a mailbox; each message is a document, with its attachments. */
export const imap: SourceKind<ImapConfig, ImapCredentials> = {
  type: 'imap',

  parse(config, credentials) {
    const fields = new ConfigFields('config', config);
    const url = fields.text('url');
    const folders = fields.texts('folders');
    const since = fields.optionalText('since');
    if (url !== '' && !parseServerAddress(url)) {
      fields.refuse('url', 'must be an address such as imaps://mail.example.com');
    }
    if (since !== undefined && !isDay(since))
      fields.refuse('since', 'must be a day, as 2025-01-31');
    const access = readAccessMap(fields);
    fields.finish();
    return {
      config: {
        url,
        ...(folders.length > 0 && { folders }),
        ...(since !== undefined && { since }),
        ...access,
      },
      credentials: parseCredentials(credentials),
    };
  },

  async test(config, credentials, context) {
    const mailbox = openMailbox(config, credentials, context);
    await mailbox.findFolders().finally(() => mailbox.close());
  },

  open(config, credentials, context) {
    return Promise.resolve(openMailbox(config, credentials, context));
  },
};

function openMailbox(config: ImapConfig, credentials: ImapCredentials, context: SourceContext) {
  const server = parseServerAddress(config.url);
  if (!server) throw new SourceError('not_found', 'The address is none of a mail server.');
  return new OpenMailbox(server, config, credentials, context);
}

function parseCredentials(credentials: unknown): ImapCredentials {
  const secrets = new ConfigFields('credentials', credentials);
  const username = secrets.text('username');
  const password = secrets.optionalText('password');
  const token = secrets.optionalText('token');
  if ((password === undefined) === (token === undefined)) {
    secrets.refuse('password', 'must be given, or a token instead');
  }
  // A line of the protocol, or a header of the token's exchange, would end there.
  for (const [name, value] of Object.entries({ username, password, token })) {
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    if (/[\0-\x1f\x7f]/.test(value ?? '')) secrets.refuse(name, 'must not have control characters');
  }
  secrets.finish();
  return token === undefined ? { username, password: password ?? '' } : { username, token };
}

function isDay(text: string): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : undefined;
  return date?.toISOString().startsWith(text) === true;
}
