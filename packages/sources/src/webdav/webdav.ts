import { readAccessMap } from '../access-map.js';
import { ConfigFields } from '../config-fields.js';
import type { SourceKind } from '../source-kind.js';
import { DavClient, type DavConfig, type DavCredentials } from './dav-client.js';
import { OpenWebDav } from './open-webdav.js';

/** A folder of a WebDAV server, such as Nextcloud. */
export const webdav: SourceKind<DavConfig, DavCredentials> = {
  type: 'webdav',

  parse(config, credentials) {
    const fields = new ConfigFields('config', config);
    const address = fields.text('url');
    const include = fields.texts('include');
    const exclude = fields.texts('exclude');
    const url = URL.parse(address);
    if (!url || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '') {
      fields.refuse('url', 'must be an http or https address');
    }
    const access = readAccessMap(fields);
    fields.finish();
    return {
      config: {
        url: address,
        ...(include.length > 0 && { include }),
        ...(exclude.length > 0 && { exclude }),
        ...access,
      },
      credentials: parseCredentials(credentials),
    };
  },

  async test(config, credentials, context) {
    const client = new DavClient(config, credentials, context);
    await client.readFolder(client.base.pathname);
  },

  open(config, credentials, context) {
    const client = new DavClient(config, credentials, context);
    return Promise.resolve(new OpenWebDav(client, config, context));
  },
};

/** Some servers are open to everybody. */
function parseCredentials(credentials: unknown): DavCredentials {
  const secrets = new ConfigFields('credentials', credentials);
  const username = secrets.optionalText('username');
  const password = secrets.optionalText('password');
  const token = secrets.optionalText('token');
  if (token !== undefined && username !== undefined) {
    secrets.refuse('token', 'must not be given beside a username');
  }
  if (password !== undefined && username === undefined) {
    secrets.refuse('username', 'must be given with a password');
  }
  if (username?.includes(':') === true) secrets.refuse('username', 'must not have a colon');
  // A header cannot contain other characters.
  if (token !== undefined && /[^\x21-\x7e]/.test(token)) {
    secrets.refuse('token', 'must be of visible ASCII characters');
  }
  secrets.finish();
  if (token !== undefined) return { token };
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}
