import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ApiKeyAdmission } from '../../api-keys/api-key-admission.js';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { type ApiKeyScope, CLIENT_TOKEN_SCOPES } from '../../api-keys/scope.js';
import { type Principals, userPrincipal } from '../../knowledge-bases/access-rules/principals.js';
import { hasLeft, SELECT_ALL_PUSHED_GROUPS } from '../../knowledge-bases/directory/memberships.js';
import { ChannelPeople } from './channel-people.js';
import type { ChannelQuestion, ChannelUser } from './channel-port.js';
import type { Channel } from './channel.entity.js';

/** Requests come from the chat service and not from the asker, so no address says anything. */
const NO_ADDRESS = '0.0.0.0';
/** Longer than any answer takes. */
const LIFE_MS = 60 * 60 * 1000;

/** Finds out with which rights somebody asks in a chat service. */
@Injectable()
export class ChannelAskers {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly admission: ApiKeyAdmission,
    private readonly people: ChannelPeople,
  ) {}

  /**
   * Admits somebody with the key of the channel, as one of its end users. What others read too is answered from what
   * everybody may read.
   *
   * @throws Problem as ApiKeyAdmission.admit
   */
  async admit(
    channel: Channel,
    { asker, isPrivate }: Pick<ChannelQuestion, 'asker' | 'isPrivate'>,
    scope: ApiKeyScope,
    requestId: string,
  ): Promise<{ principal: ApiKeyPrincipal; admittedAt: Date; ip: string }> {
    const { apiKeyId: keyId, type, workspaceId } = channel;
    const delegation = {
      keyId,
      endUserId: `${type}-${workspaceId ?? ''}-${asker.id}`,
      principals: isPrivate ? await this.findPrincipals(channel, asker) : [],
      scopes: CLIENT_TOKEN_SCOPES,
      filter: undefined,
      allowedOrigins: null,
      expiresAt: new Date(Date.now() + LIFE_MS),
    };
    const caller = { ip: NO_ADDRESS, origin: undefined, path: '' };
    const { principal, admittedAt } = await this.admission.admitDelegation(delegation, caller, [
      scope,
    ]);
    return { principal: { ...principal, requestId }, admittedAt, ip: NO_ADDRESS };
  }

  /** The person that access rules name, by email address, with the groups that an identity provider has pushed. */
  private async findPrincipals(channel: Channel, asker: ChannelUser): Promise<Principals> {
    const email = await this.people.findEmail(channel, asker);
    if (email === undefined) return [];
    const user = userPrincipal(email);
    const userId = user.slice(user.indexOf(':') + 1);
    const { ownerId: kbId } = channel.apiKey;
    const { manager } = this.dataSource;
    const left = await manager
      .createQueryBuilder()
      .select('1')
      .from('knowledge_bases', 'kb')
      .where(`kb.id = :kbId AND ${hasLeft(':userId', ':kbId')}`, { kbId, userId })
      .getRawOne<object>();
    if (left) return [];
    const groups = await manager
      .createQueryBuilder()
      .select('counted.principal', 'principal')
      .from(`(${SELECT_ALL_PUSHED_GROUPS})`, 'counted')
      .where('counted."kbId" = :kbId', { kbId, userId })
      .getRawMany<{ principal: string }>();
    return [user, ...groups.map(({ principal }) => principal)];
  }
}
