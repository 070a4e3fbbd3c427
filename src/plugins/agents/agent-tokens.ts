import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { parseJson } from '@latchkey/text/parse-json';
import { type Caller, unauthorized } from '../../api-keys/api-key-status.js';
import {
  IsKeyCredential,
  type KeyCredential,
  type KeyDelegation,
} from '../../api-keys/key-credential.js';
import { type PreparedQuery, prepareQuery } from '../../platform/database/prepared-query.js';
import { AgentConnections } from './agent-connections.js';
import { toStoredId } from './oauth-store.js';
import { covers, parseScopes, type ResourceName } from './resources.js';

export const TOKEN_PREFIX = 'rag_agent_';
/** With 43 characters of 6 bits. */
const TOKEN = /^rag_agent_[\w-]{43}$/;

interface TokenRow {
  readonly connectionId: string;
  readonly keyId: string;
  readonly personId: string | null;
  readonly endUserId: string | null;
  readonly principals: string[] | string | null;
  readonly resource: ResourceName;
  readonly payload: TokenPayload | string;
}

interface TokenPayload {
  readonly scope?: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

/** The access tokens of agents, which stand for the key that their connection was made with. */
@Injectable()
@IsKeyCredential()
export class AgentTokens implements KeyCredential {
  private readonly select: PreparedQuery<TokenRow>;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly connections: AgentConnections,
  ) {
    const id = dataSource.driver.createParameter('0', 0);
    this.select = prepareQuery(
      dataSource,
      `SELECT c.id AS "connectionId", c.api_key_id AS "keyId", c.person_id AS "personId",
         c.end_user_id AS "endUserId", c.principals, c.resource, r.payload
       FROM oauth_records r JOIN agent_connections c ON c.id = r.connection_id
       WHERE r.model = 'AccessToken' AND r.id = ${id} AND c.state = 'active'`,
    );
  }

  recognizes(credential: string): boolean {
    return credential.startsWith(TOKEN_PREFIX);
  }

  /** @throws Problem `invalid_api_key`, also for a token of another resource or one that has expired */
  async verify(credential: string, { path }: Caller): Promise<KeyDelegation> {
    if (!TOKEN.test(credential)) throw unauthorized('invalid_api_key');
    const [row] = await this.select([toStoredId('AccessToken', credential)]);
    if (!row || !covers(row.resource, path)) throw unauthorized('invalid_api_key');
    const { scope, exp } = parsed(row.payload) as TokenPayload;
    const expiresAt = new Date(exp * 1000);
    if (expiresAt.getTime() <= Date.now()) throw unauthorized('invalid_api_key');
    const principals = parsed(row.principals) as string[] | null;
    const memberships = await this.connections.findMemberships({ ...row, principals });
    return {
      keyId: row.keyId,
      endUserId: row.endUserId ?? undefined,
      principals: principals ?? undefined,
      scopes: parseScopes(scope),
      ...(memberships && { memberships }),
      filter: undefined,
      allowedOrigins: null,
      expiresAt,
      connectionId: row.connectionId,
    };
  }
}

/** SQLite returns JSON as text. */
const parsed = (column: unknown): unknown =>
  typeof column === 'string' ? parseJson(column) : column;
