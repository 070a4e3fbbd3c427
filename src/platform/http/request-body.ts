import type { IncomingMessage } from 'node:http';
import multipart from '@fastify/multipart';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { ClientLeftError } from './client-left.js';
import {
  MAX_JSON_BYTES,
  MAX_LONG_JSON_BYTES,
  MAX_OPEN_JSON_BYTES,
  parseJsonBody,
} from './json-body.js';
import { AddRouteConfig } from './nest-metadata.js';

/**
 * Marks a route whose last guard is BodyReader. The body of any other route is read before its guards, since
 * a credential may be in it.
 */
export const READS_BODY_LAST = { readsBodyLast: true } as const;

/** Marks a route that also accepts bodies of HTML forms, as in OAuth requests. */
export const AcceptsForm = () => AddRouteConfig({ form: true });

/** Marks a route that reads multipart bodies in an interceptor. */
export const AcceptsMultipart = () => AddRouteConfig({ multipart: true });

/** Marks a route whose JSON may list every document of a source. */
export const AcceptsLongLists = () => AddRouteConfig({ longLists: true });

/** Reads the body when the guards before it know that the sender may do this. */
@Injectable()
export class BodyReader implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await readBody(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}

/** Leaves bodies to `readBody`; Fastify's parsers would read them before Nest's guards run. */
export async function acceptBodies(fastify: FastifyInstance): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  await fastify.register(multipart);
  fastify.addHook('preValidation', async (request) => {
    if (!request.is404 && !readsBodyLast(request)) await readBody(request);
  });
}

/**
 * Reads and parses the body of a request, unless it is a multipart body that the route accepts.
 *
 * @throws Problem as `readBytes`, or `validation_failed`
 */
async function readBody(request: FastifyRequest): Promise<void> {
  const bytes = await readBytes(request);
  if (bytes) parseBody(request, bytes);
}

/**
 * Reads the body of a request.
 *
 * @returns undefined if there is none, or if it is a multipart body that the route accepts
 * @throws Problem `payload_too_large` or `unsupported_media_type`
 */
export async function readBytes(request: FastifyRequest): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined;
  const { mediaType, routeOptions } = request;
  if (mediaType === 'multipart/form-data' && 'multipart' in routeOptions.config) return undefined;
  const isForm = mediaType === FORM && 'form' in routeOptions.config;
  if (!isForm && !JSON_TYPES.has(mediaType)) throw new Problem('unsupported_media_type');
  if (!readsBodyLast(request)) return receive(request, MAX_OPEN_JSON_BYTES);
  return receive(request, takesLongLists(request) ? MAX_LONG_JSON_BYTES : MAX_JSON_BYTES);
}

/** @throws Problem `validation_failed` */
export function parseBody(request: FastifyRequest, bytes: Buffer): void {
  request.body =
    request.mediaType === FORM ? parseForm(bytes) : parseJsonBody(bytes, takesLongLists(request));
}

const takesLongLists = ({ routeOptions: { config } }: FastifyRequest) => 'longLists' in config;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPES = new Set<string | undefined>(['application/json', 'application/scim+json']);

const readsBodyLast = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  'readsBodyLast' in config;

function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { 'content-length': length = '0', 'content-type': type } = headers;
  return type !== undefined || length !== '0' || headers['transfer-encoding'] !== undefined;
}

function receive({ raw, headers }: FastifyRequest, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(headers['content-length']) > limit) reject(new Problem('payload_too_large'));
    // The end of a closed request would never come.
    else if (raw.destroyed) reject(new ClientLeftError());
    else collect(raw, limit, resolve, reject);
  });
}

function collect(
  raw: IncomingMessage,
  limit: number,
  resolve: (bytes: Buffer) => void,
  reject: (error: Error) => void,
): void {
  const pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer) => {
    size += piece.length;
    if (size > limit) fail(new Problem('payload_too_large'));
    else pieces.push(piece);
  };
  const finish = () => {
    stop();
    resolve(Buffer.concat(pieces, size));
  };
  const fail = (error: Error) => {
    stop();
    reject(error);
  };
  const stop = () => raw.off('data', add).off('end', finish).off('error', fail);
  raw.on('data', add).on('end', finish).on('error', fail);
}

/** A field must not be repeated (RFC 6749). */
function parseForm(bytes: Buffer): unknown {
  const fields = [...new URLSearchParams(bytes.toString())];
  if (new Set(fields.map(([name]) => name)).size < fields.length) {
    throw new Problem('validation_failed', {
      detail: 'The form repeats a field.',
      extensions: { error: 'invalid_request' },
    });
  }
  return Object.fromEntries(fields);
}
