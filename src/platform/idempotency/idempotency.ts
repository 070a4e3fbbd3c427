import { createHash } from 'node:crypto';
import { createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { EntityManager, LessThan } from 'typeorm';
import { onMethod } from '../openapi/operation.js';
import { invalidField, Problem } from '../problems/problem.js';
import { IDEMPOTENCY_LIFETIME_MS, IdempotencyRecord } from './idempotency-record.entity.js';

const VALID_KEY = /^[\x21-\x7e]{1,255}$/;

/** A request that may repeat an earlier one whose response was lost. */
export interface IdempotentRequest {
  readonly key: string;
  /** The method and path. */
  readonly operation: string;
  readonly body: unknown;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: false,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', maxLength: 255 },
  description:
    'Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice.',
};

/** The request's Idempotency-Key with the operation and body it is bound to; undefined if there is none. */
export const Idempotent = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest | undefined => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = request.headers['idempotency-key'];
    if (key === undefined) return undefined;
    if (typeof key !== 'string' || !VALID_KEY.test(key)) {
      throw invalidField(
        'Idempotency-Key',
        'Idempotency-Key must have 1 to 255 visible ASCII characters',
      );
    }
    return {
      key,
      operation: `${request.method} ${request.url}`,
      body: request.body,
    };
  },
  [onMethod(ApiHeader(IDEMPOTENCY_KEY))],
);

@Injectable()
export class Idempotency {
  /**
   * Runs `work` once for each Idempotency-Key, in the caller's transaction: the record is committed
   * together with the work, and of two concurrent requests the second waits for the first.
   *
   * @param work returns the response to store, which must not contain a secret
   * @returns `first: false` with the stored response if the work was done before
   * @throws Problem `idempotency_conflict` if the key was used with another body
   */
  async once<T extends object>(
    manager: EntityManager,
    userId: string,
    request: IdempotentRequest | undefined,
    work: () => Promise<T>,
  ): Promise<{ first: boolean; answer: T }> {
    if (!request) return { first: true, answer: await work() };
    const id = sha256(JSON.stringify([userId, request.operation, request.key]));
    const now = new Date();
    const expired = new Date(now.getTime() - IDEMPOTENCY_LIFETIME_MS);
    await manager.delete(IdempotencyRecord, { id, createdAt: LessThan(expired) });
    const fingerprint = sha256(canonicalJson(request.body));
    // The insert waits for an open transaction that has inserted the same id.
    await manager
      .createQueryBuilder()
      .insert()
      .into(IdempotencyRecord)
      .values({ id, fingerprint, answer: PENDING, createdAt: now })
      .orIgnore()
      .updateEntity(false)
      .execute();
    const record = await manager.findOneByOrFail(IdempotencyRecord, { id });
    if (record.fingerprint !== fingerprint) throw new Problem('idempotency_conflict');
    if (!('pending' in record.answer)) return { first: false, answer: record.answer as T };
    const answer = await work();
    await manager.update(IdempotencyRecord, { id }, { answer: answer as object });
    return { first: true, answer };
  }
}

/** A placeholder, visible only within the transaction that replaces it. */
const PENDING = { pending: true };

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Serializes a value independently of the order of its fields. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
