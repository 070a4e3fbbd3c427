import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.js';
import { AddRouteConfig } from './nest-metadata.js';

/** Marks a route that also accepts bodies of HTML forms, as in OAuth requests. */
export const AcceptsForm = () => AddRouteConfig({ form: true });

/** Parses form bodies on routes that accept them; a field must not be repeated (RFC 6749). */
export function parseFormBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, text, done) => {
      try {
        if (!('form' in request.routeOptions.config)) throw new Problem('unsupported_media_type');
        done(null, readForm(text));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

function readForm(text: string): unknown {
  const fields = [...new URLSearchParams(text)];
  if (new Set(fields.map(([name]) => name)).size < fields.length) {
    throw new Problem('validation_failed', {
      detail: 'The form repeats a field.',
      extensions: { error: 'invalid_request' },
    });
  }
  return Object.fromEntries(fields);
}
