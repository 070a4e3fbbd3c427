import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from '../json/parse-json.js';
import { AddRouteConfig } from './add-route-config.js';
import { Problem } from '../problems/problem.js';

/** The size of a JSON body, and so of any string in one. */
export const MAX_JSON_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;

type RequestWithRawBody = FastifyRequest & { rawBody?: Buffer };

/** For a route whose guard needs the bytes of the body. */
export const KeepRawBody = () => AddRouteConfig({ rawBody: true });

/** The bytes of a JSON body, on a route with KeepRawBody. */
export const rawBodyOf = ({ rawBody }: RequestWithRawBody): Buffer | undefined => rawBody;

/**
 * Reads JSON bodies: UTF-8 only, at most 32 deep, no `__proto__`. An empty body is no body, since
 * many clients send the content type with every PATCH.
 */
export function parseJsonBodies(fastify: FastifyInstance): void {
  // Fastify reads plain text unless told not to.
  fastify.removeContentTypeParser('text/plain');
  fastify.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request: RequestWithRawBody, bytes, done) => {
      if ('rawBody' in request.routeOptions.config) request.rawBody = bytes;
      if (bytes.length === 0) {
        done(null, undefined);
      } else if (!isUtf8(bytes)) {
        done(malformed('The body is not UTF-8.'));
      } else {
        const text = bytes.toString('utf8');
        if (depthExceeds(text, MAX_DEPTH)) {
          done(malformed(`The body is nested more than ${MAX_DEPTH} levels deep.`));
        } else {
          try {
            done(null, parseUntrusted(text));
          } catch {
            done(malformed('The body is not well-formed JSON.'));
          }
        }
      }
    },
  );
}

/** @throws SyntaxError for what is no JSON, or would change the prototype of objects that it is merged into */
export function parseUntrusted(text: string): unknown {
  const value = parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  if (reachesPrototype(value)) throw new SyntaxError('A name reaches the prototype');
  return value;
}

const BYTE_ORDER_MARK = '\uFEFF';

function reachesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  if (Object.hasOwn(value, 'constructor') && hasPrototype(value.constructor)) return true;
  return Object.values(value).some(reachesPrototype);
}

const hasPrototype = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');

const malformed = (detail: string) => new Problem('validation_failed', { detail });

/** Read from the text, before the parser builds anything from it. */
export function depthExceeds(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      if (++depth > limit) return true;
    } else if (char === '}' || char === ']') depth--;
  }
  return false;
}
