import { ThrottledClient, toStatusError } from '../throttled-client.js';
import { SourceError, type SourceKind } from '../source-kind.js';
import { parseWebsite, type WebsiteConfig } from './config.js';
import { OpenWebsite } from './open-website.js';
import { Robots } from './robots.js';

/** Pages that are linked from start pages, or in a sitemap. */
export const website: SourceKind<WebsiteConfig, object> = {
  type: 'website',

  parse(config, credentials) {
    return { config: parseWebsite(config, credentials), credentials: {} };
  },

  async test({ start_urls: starts, sitemap_url: sitemap }, _credentials, context) {
    const client = new ThrottledClient(context);
    const robots = new Robots(context, client);
    for (const address of [...starts.slice(0, 1), ...(sitemap === undefined ? [] : [sitemap])]) {
      if (!(await robots.allows(address))) {
        throw new SourceError('not_allowed', 'The robots.txt of the website forbids it.');
      }
      const response = await client.request(address);
      await response.body?.cancel();
      if (!response.ok) throw toStatusError(address, response.status);
    }
  },

  open: (config, _credentials, context) => OpenWebsite.open(config, context),
};
