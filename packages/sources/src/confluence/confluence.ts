import { ConfigFields } from '../config-fields.js';
import type { SourceContext, SourceKind } from '../source-kind.js';
import { Cloud } from './cloud.js';
import {
  ConfluenceClient,
  type ConfluenceConfig,
  type ConfluenceCredentials,
  isCloud,
} from './confluence-client.js';
import { DataCenter } from './data-center.js';
import { OpenConfluence } from './open-confluence.js';

/** A space of Confluence Cloud or Data Center. */
export const confluence: SourceKind<ConfluenceConfig, ConfluenceCredentials> = {
  type: 'confluence',

  parse(config, credentials) {
    const fields = new ConfigFields('config', config);
    const base = fields.text('base_url');
    const space = fields.text('space');
    const url = URL.parse(base);
    if (!url || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '') {
      fields.refuse('base_url', 'must be an http or https address');
    }
    if (space !== '' && !/^~?[\w.:-]{1,255}$/.test(space)) {
      fields.refuse('space', 'must be the key of a space');
    }
    fields.finish();
    const secrets = new ConfigFields('credentials', credentials);
    const email = secrets.optionalText('email');
    const token = secrets.text('token');
    // A header cannot contain other characters.
    if (/[^\x21-\x7e]/.test(token)) secrets.refuse('token', 'must be of visible ASCII characters');
    secrets.finish();
    return {
      config: { base_url: base, space },
      credentials: { ...(email !== undefined && { email }), token },
    };
  },

  async test(config, credentials, context) {
    await openEdition(config, credentials, context).edition.test();
  },

  open(config, credentials, context) {
    const { edition, client } = openEdition(config, credentials, context);
    return Promise.resolve(new OpenConfluence(edition, client, context));
  },
};

function openEdition(
  config: ConfluenceConfig,
  credentials: ConfluenceCredentials,
  context: SourceContext,
) {
  const client = new ConfluenceClient(config, credentials, context);
  const Type = isCloud(config.base_url) ? Cloud : DataCenter;
  return { edition: new Type(client, config.space, context), client };
}
