import { readAccessMap } from '../access-map.js';
import { ConfigFields } from '../config-fields.js';
import type { SourceContext, SourceKind } from '../source-kind.js';
import type { GitConfig, GitCredentials } from './open-repository.js';

/** A branch of a repository that is served by HTTPS. */
export const git: SourceKind<GitConfig, GitCredentials> = {
  type: 'git',

  parse(config, credentials) {
    const fields = new ConfigFields('config', config);
    const url = fields.text('url');
    const branch = fields.optionalText('branch');
    const folder = fields.optionalText('folder')?.split('/').filter(Boolean).join('/');
    const address = URL.parse(url);
    if (!address || !/^https?:$/.test(address.protocol) || address.search + address.hash !== '') {
      fields.refuse('url', 'must be the https address of a repository');
    } else if (address.username + address.password !== '') {
      fields.refuse('url', 'must not contain credentials; give the token in credentials');
    }
    if (branch !== undefined && !isBranch(branch))
      fields.refuse('branch', 'is no name of a branch');
    const access = readAccessMap(fields);
    fields.finish();
    const secrets = new ConfigFields('credentials', credentials);
    const token = secrets.optionalText('token');
    if (token !== undefined && /[^\x21-\x7e]/.test(token)) {
      secrets.refuse('token', 'must be of visible ASCII characters');
    }
    secrets.finish();
    return {
      config: {
        url,
        ...(branch !== undefined && { branch }),
        ...(folder !== undefined && folder !== '' && { folder }),
        ...access,
      },
      credentials: token === undefined ? {} : { token },
    };
  },

  async test(config, credentials, context) {
    await (await openRepository(config, credentials, context)).test();
  },

  open: openRepository,
};

/** Loads the module only when a repository is read, since it is large. */
async function openRepository(
  ...given: readonly [config: GitConfig, credentials: GitCredentials, context: SourceContext]
) {
  const { OpenRepository } = await import('./open-repository.js');
  return OpenRepository.open(...given);
}

/** Whether git accepts the name of a branch, and the protocol gives it no special meaning. */
const isBranch = (name: string) =>
  !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\.lock$/.test(name);
