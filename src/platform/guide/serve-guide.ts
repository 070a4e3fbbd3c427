import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { handleStaticFile, listFiles } from '../http/static-file.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
/** The folder dist/guide. */
const FOLDER = fileURLToPath(new URL('../../../guide/', import.meta.url));

const POLICY = [
  `default-src 'none'`,
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((kind) => `${kind} 'self'`),
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** Serves the documentation site at /docs/guide, if it has been built. */
export function serveGuide(fastify: FastifyInstance): void {
  const files = listFiles(FOLDER);
  if (files.length === 0) return;
  // Registered in its own scope, so that the policy applies to nothing else.
  void fastify.register((pages, _, done) => {
    pages.addHook('onSend', (_request, reply, _payload, next) => {
      void reply.header('content-security-policy', POLICY);
      next();
    });
    // Links of the page are relative to the trailing slash.
    pages.get('/docs/guide', (_request, reply) => reply.redirect('/docs/guide/'));
    const handlers = new Map(
      files.flatMap((file) => {
        const type = TYPES[extname(file)];
        if (type === undefined) return [];
        const handle = handleStaticFile(type, () => readFile(FOLDER + file));
        // Pages are also served without their extension, since the console and the contract link to them
        // that way.
        const addresses = [file.replace(/(^|\/)index\.html$/, '$1'), file.replace(/\.html$/, '')];
        return addresses.map((address) => [address, handle] as const);
      }),
    );
    // One route, since each that the router has to build makes the start longer.
    pages.get<{ Params: { '*': string } }>('/docs/guide/*', (request, reply) => {
      const handle = handlers.get(request.params['*']);
      if (handle) return handle(request, reply);
      reply.callNotFound();
      return reply;
    });
    done();
  });
}
