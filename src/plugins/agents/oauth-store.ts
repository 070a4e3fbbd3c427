import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { IsNull, MoreThan, Repository } from 'typeorm';
import { isStorableText } from '../../platform/http/text.js';
import { lockName } from '../../platform/database/dialect.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { AgentConnections } from './agent-connections.js';
import { OAuthRecord } from './oauth-record.entity.js';

/** The ids of these are no secrets. */
const PUBLIC_IDS = new Set(['Client', 'Grant']);
/** What an agent has when it is connected. */
const TOKENS = new Set(['AccessToken', 'RefreshToken']);

/** The id under which something is stored, so that a stolen database contains no token. */
export const toStoredId = (model: string, id: string): string =>
  PUBLIC_IDS.has(model) ? id : createHash('sha256').update(id).digest('base64url');

/** Keeps in the database what the authorization server must remember. */
@Injectable()
export class OAuthStore {
  private readonly logger = new Logger(OAuthStore.name);

  constructor(
    @InjectRepository(OAuthRecord) private readonly records: Repository<OAuthRecord>,
    private readonly unitOfWork: UnitOfWork,
    private readonly connections: AgentConnections,
  ) {}

  /**
   * @param model the kind of what is stored
   * @param refuse creates the error by which a token request is refused
   * @param findClient finds clients that are not registered
   */
  createAdapter(
    model: string,
    refuse: (reason: string) => Error,
    findClient: (id: string) => Promise<AdapterPayload | undefined>,
  ): Adapter {
    const toKey = (id: string) => ({ model, id: toStoredId(model, id) });
    const find = async (id: string) => {
      if (!isStorableText(id)) return undefined;
      const unregistered = model === 'Client' ? await findClient(id) : undefined;
      if (unregistered) return unregistered;
      const record = await this.records.findOneBy(toKey(id));
      return record ? toPayload(record, id) : undefined;
    };
    return {
      find,
      // Devices are not connected by codes, and no token ends with a session.
      findByUserCode: () => Promise.resolve(undefined),
      findByUid: () => Promise.resolve(undefined),
      upsert: async (id, payload, expiresIn) => {
        const accepted = await this.store(toKey(id), payload, expiresIn);
        if (!accepted) throw refuse('the connection has ended');
      },
      consume: async (id) => {
        const key = toKey(id);
        const isFirst = await this.unitOfWork.run(async (manager) => {
          const unused = { ...key, consumedAt: IsNull() };
          const { affected } = await manager.update(OAuthRecord, unused, {
            consumedAt: new Date(),
          });
          return affected === 1;
        });
        if (isFirst) return;
        // Another request has used it at the same time.
        const record = await this.records.findOneBy(key);
        if (record?.connectionId != null) await this.endStolen(record.connectionId);
        throw refuse('it was used before');
      },
      destroy: async (id) => {
        await this.unitOfWork.run((manager) => manager.delete(OAuthRecord, toKey(id)));
      },
      revokeByGrantId: (connectionId) => this.endStolen(connectionId),
    };
  }

  /**
   * Notes that something was used which may be used once.
   *
   * @returns false if it was used before
   */
  useOnce(name: string, expiresAt: Date): Promise<boolean> {
    const key = { model: 'ReplayDetection', id: toStoredId('ReplayDetection', name) };
    return this.unitOfWork.run(async (manager) => {
      await lockName(manager, key.id);
      if (await manager.existsBy(OAuthRecord, key)) return false;
      const record = { ...key, connectionId: null, payload: {}, createdAt: new Date(), expiresAt };
      await manager.insert(OAuthRecord, record);
      return true;
    });
  }

  /** Keeps something that is taken once, for some seconds. */
  async keep(model: string, id: string, payload: object, seconds: number): Promise<void> {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + seconds * 1000);
    const key = { model, id: toStoredId(model, id), connectionId: null };
    await this.unitOfWork.run((manager) =>
      manager.insert(OAuthRecord, { ...key, payload: { ...payload }, createdAt, expiresAt }),
    );
  }

  /** @returns what was kept; undefined if there is none */
  async find(model: string, id: string): Promise<object | undefined> {
    const key = { model, id: toStoredId(model, id) };
    const record = await this.records.findOneBy({ ...key, expiresAt: MoreThan(new Date()) });
    return record?.payload;
  }

  /** @returns what was kept; undefined if there is none, also if it was taken before */
  take(model: string, id: string): Promise<object | undefined> {
    const key = { model, id: toStoredId(model, id) };
    return this.unitOfWork.run(async (manager) => {
      const record = await manager.findOneBy(OAuthRecord, key);
      const { affected } = await manager.delete(OAuthRecord, key);
      const isCurrent = record?.expiresAt != null && record.expiresAt > new Date();
      return affected === 1 && isCurrent ? record.payload : undefined;
    });
  }

  /** @returns false where the connection has ended */
  private store(
    key: Pick<OAuthRecord, 'model' | 'id'>,
    { jti: _, ...payload }: AdapterPayload,
    expiresIn: number | undefined,
  ): Promise<boolean> {
    const now = new Date();
    const expiresAt = expiresIn ? new Date(now.getTime() + expiresIn * 1000) : null;
    const connectionId = key.model === 'Grant' ? key.id : (payload.grantId ?? null);
    return this.unitOfWork.run(async (manager) => {
      if (TOKENS.has(key.model) && connectionId !== null && expiresAt) {
        if (!(await this.connections.extend(manager, connectionId, expiresAt))) return false;
      }
      const changed = { payload, expiresAt };
      // The insertion needs copies, because on PostgreSQL it writes text into the object's columns.
      const { affected } = await manager.update(OAuthRecord, key, { ...changed });
      if (affected === 0) {
        await manager.insert(OAuthRecord, { ...key, ...changed, connectionId, createdAt: now });
      }
      return true;
    });
  }

  /** A code or a refresh token that is used twice was stolen, so whoever has the tokens loses them. */
  private async endStolen(connectionId: string): Promise<void> {
    const ended = await this.connections.end(connectionId);
    if (ended)
      this.logger.warn(
        `Ended ${connectionId}: revoked, or its code or refresh token was used again`,
      );
  }
}

function toPayload(
  { payload, consumedAt, expiresAt }: OAuthRecord,
  jti: string,
): AdapterPayload | undefined {
  if (expiresAt !== null && expiresAt <= new Date()) return undefined;
  const consumed = consumedAt && Math.floor(consumedAt.getTime() / 1000);
  return { ...payload, jti, ...(consumed !== null && { consumed }) };
}
