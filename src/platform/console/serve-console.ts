import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HTML_STYLE_HASH } from '@latchkey/extraction/view/to-html';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config/config.js';
import type { DashboardAuthConfig } from '../config/dashboard-auth-config.js';
import { listFiles, serveStaticFile } from '../http/static-file.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** The folder dist/console. */
const FOLDER = fileURLToPath(new URL('../../../console/', import.meta.url));

const consoleFolder = () => (listFiles(FOLDER).includes('index.html') ? FOLDER : undefined);

/** Whether the console has been built. */
export const hasConsole = () => consoleFolder() !== undefined;

/**
 * Serves the web console at /console. Every path below it that is not a file serves the console's page,
 * so that links into the console work.
 *
 * @param plugins the names of those that run, whose pages the console shows
 * @returns false if the console has not been built
 */
export function serveConsole(
  fastify: FastifyInstance,
  config: Config,
  plugins: readonly string[],
): boolean {
  const folder = consoleFolder();
  if (folder === undefined) return false;
  const policy = contentSecurityPolicy(config.dashboardAuth);
  // Registered in its own scope, so that the policy applies to nothing else.
  void fastify.register((pages, _, done) => {
    pages.addHook('onSend', (_request, reply, _payload, next) => {
      void reply.header('content-security-policy', policy);
      next();
    });
    for (const file of listFiles(folder)) {
      const type = TYPES[extname(file)];
      if (type === undefined || file === 'index.html') continue;
      // The names of assets change with their content, so they can be cached forever.
      const cacheControl = file.startsWith('assets/')
        ? 'public, max-age=31536000, immutable'
        : undefined;
      serveStaticFile(
        pages,
        [`/console/${file}`],
        type,
        () => readFile(folder + file),
        cacheControl,
      );
    }
    pages.get('/console/config.json', (_request, reply: FastifyReply) =>
      reply
        .header('cache-control', 'no-store')
        .send({ ...signInConfig(config.dashboardAuth), key_policy: keyPolicy(config), plugins }),
    );
    serveStaticFile(pages, ['/console', '/console/', '/console/*'], TYPES['.html'] ?? '', () =>
      readFileSync(`${folder}index.html`),
    );
    done();
  });
  return true;
}

/** Returns what the page needs to sign users in; none of it is secret. */
function signInConfig(auth: DashboardAuthConfig) {
  if (auth.mode !== 'oidc') return { mode: auth.mode };
  const { issuer, console: page } = auth;
  return { mode: auth.mode, issuer, ...page };
}

/** The key policy, so that the console offers only valid options. */
const keyPolicy = (config: Config) => ({
  max_age_days: config.KEY_POLICY_MAX_AGE_DAYS ?? null,
  require_expiry: config.KEY_POLICY_REQUIRE_EXPIRY,
  require_addresses: config.KEY_POLICY_REQUIRE_ADDRESSES,
});

function contentSecurityPolicy(auth: DashboardAuthConfig): string {
  const provider = auth.mode === 'oidc' ? ` ${new URL(auth.issuer).origin}` : '';
  // A token is renewed in a hidden frame, which the provider redirects to the console.
  const framed = auth.mode === 'oidc' ? `'self'` : `'none'`;
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    // Document pages are fetched with the user's credentials and shown from memory.
    `style-src 'self' '${HTML_STYLE_HASH}'`,
    `img-src 'self' blob:`,
    `connect-src 'self'${provider}`,
    // Sample pages with the chat of a site are pages of the service.
    `frame-src 'self' blob:${provider}`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors ${framed}`,
  ].join('; ');
}
