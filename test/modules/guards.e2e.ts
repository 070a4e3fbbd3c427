import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { applyDecorators, Body, Get, Post } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ApiKeyGuard, CurrentApiKey } from '../../src/api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../../src/api-keys/api-key-principal.js';
import { CredentialDto } from '../../src/api-keys/credential.dto.js';
import { PartnerController } from '../../src/api-keys/partner-controller.js';
import { RequiresScope } from '../../src/api-keys/requires-scope.js';
import { Access } from '../../src/knowledge-bases/access.js';
import { AccessGuard } from '../../src/knowledge-bases/access.guard.js';
import { DashboardAuthGuard } from '../../src/knowledge-bases/dashboard-auth/dashboard-auth.guard.js';
import { DashboardIdentity } from '../../src/knowledge-bases/dashboard-auth/dashboard-identity.js';
import { DashboardController } from '../../src/knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../src/knowledge-bases/dashboard-auth/dashboard-user.js';
import { OpensTo } from '../../src/knowledge-bases/opens-to.js';
import { KnowledgeBaseAccess } from '../../src/knowledge-bases/knowledge-base-access.js';
import { ResourceResolvers } from '../../src/knowledge-bases/resource-resolvers.js';
import { Client, type IssuedApiKey } from '../support/client.js';
import { sendRaw } from '../support/raw-request.js';
import { TestingApp } from '../support/testing-app.js';

let reached: string[] = [];

@DashboardController('Knowledge bases', 'probe')
class DashboardProbe {
  @Get('user')
  @OpensTo('persons only')
  user(@CurrentUser() user: DashboardUser) {
    reached.push(user.id);
    return { id: user.id };
  }
}

@PartnerController('probe')
class PartnerProbe {
  @Post('query')
  @RequiresScope('query')
  query(@CurrentApiKey() principal: ApiKeyPrincipal, @Body() dto: CredentialDto) {
    reached.push(principal.id);
    return { ...principal, fields: Object.keys(dto) };
  }

  @Post('write')
  @RequiresScope('documents:write')
  write(@CurrentApiKey() principal: ApiKeyPrincipal) {
    reached.push(principal.id);
    return {};
  }
}

let app: TestingApp;
let alice: Client;
let kbId: string;
let key: IssuedApiKey;

beforeAll(async () => {
  app = await TestingApp.start({}, { controllers: [DashboardProbe, PartnerProbe] });
  alice = new Client(app, 'alice');
  kbId = (await alice.createKnowledgeBase()).id;
  key = await alice.createApiKey(kbId, { scopes: ['query'] });
});
beforeEach(() => {
  reached = [];
});
afterAll(() => app.stop());

async function request(path: string, headers: Record<string, string> = {}, body?: unknown) {
  const response = await fetch(`${app.url}/api/v1/${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe(DashboardAuthGuard.name, () => {
  it('passes the user of the header on', async () => {
    const answer = await request('probe/user', { 'x-idp-user-id': 'alice' });
    expect([answer.status, answer.body]).toEqual([200, { id: 'alice' }]);
  });

  it.each<[string, Record<string, string>, number, string]>([
    ['without the header', {}, 401, 'dashboard_authentication_required'],
    ['with an empty one', { 'x-idp-user-id': '' }, 401, 'dashboard_authentication_required'],
    ['with a comma', { 'x-idp-user-id': 'a,b' }, 400, 'invalid_user_id'],
  ])('reaches no handler %s', async (_, headers, status, code) => {
    const answer = await request('probe/user', headers);
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
    expect(reached).toEqual([]);
  });

  it('refuses two headers, which Node.js would join', async () => {
    const lines = ['X-Idp-User-Id: alice', 'X-Idp-User-Id: bob'];
    expect(await sendRaw(app, 'GET /api/v1/probe/user', lines)).toMatchObject({ status: 400 });
    expect(reached).toEqual([]);
  });
});

describe(ApiKeyGuard.name, () => {
  it.each(['header', 'body'])('passes on whom the key in the %s stands for', async (place) => {
    const answer = await (place === 'header'
      ? request('probe/query', bearer(key.api_key), {})
      : request('probe/query', {}, { api_key: key.api_key }));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ id: key.id, kbId, scopes: ['query', 'client-tokens'] });
    expect(JSON.stringify(answer.body)).not.toContain(key.api_key);
  });

  it.each<[string, unknown, string]>([
    ['without a key', {}, 'api_key_required'],
    ['with a key that is no text', { api_key: {} }, 'api_key_required'],
    ['with a malformed key', { api_key: 'rag_live_x' }, 'invalid_api_key'],
    ['with a body that is a list', [], 'api_key_required'],
  ])('reaches no handler %s', async (_, body, code) => {
    const answer = await request('probe/query', {}, body);
    expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ code })]);
    expect(answer.headers.get('www-authenticate')).toMatch(/\bBearer realm=/);
    expect(reached).toEqual([]);
  });

  it('requires the scope of the route', async () => {
    const answer = await request('probe/write', bearer(key.api_key), {});
    expect([answer.status, answer.body]).toEqual([
      403,
      expect.objectContaining({ code: 'insufficient_scope' }),
    ]);
    expect(reached).toEqual([]);
  });

  it('refuses a key from its revocation on', async () => {
    const other = await alice.createApiKey(kbId);
    expect((await request('probe/query', bearer(other.api_key), {})).status).toBe(201);
    await alice.call('PATCH', `/api-keys/${other.id}/revoke`);
    const answer = await request('probe/query', bearer(other.api_key), {});
    expect([answer.status, answer.body]).toEqual([
      401,
      expect.objectContaining({ code: 'api_key_revoked' }),
    ]);
  });

  it('is on no controller that has a handler without a scope', () => {
    expect(() => {
      @PartnerController('forgotten')
      class Forgotten {
        @Get()
        get() {
          return {};
        }
      }
      return Forgotten;
    }).toThrow('Forgotten.get needs RequiresScope');
  });
});

describe(AccessGuard.name, () => {
  const addDocument = (user: string, id: string, body: string) =>
    request(
      `kbs/${id}/documents`,
      { 'x-idp-user-id': user, 'content-type': 'application/json' },
      body,
    );

  it.each(['a stranger’s', 'no'])(
    'answers for %s knowledge base before it parses',
    async (whose) => {
      const id = whose === 'no' ? 'kb_01kafdp6ygf4rs4s2cr5cvzwkc' : kbId;
      const answer = await addDocument('bob', id, '{');
      expect([answer.status, answer.body]).toEqual([
        404,
        expect.objectContaining({ code: 'not_found' }),
      ]);
    },
  );

  it('lets a member’s request pass, whose body is then parsed', async () => {
    const answer = await addDocument('alice', kbId, '{');
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ detail: 'The body is not well-formed JSON.' }),
    ]);
  });

  it.each([
    ['declares no access', []],
    ['declares access by an id that the path has not', [Access('key', 'viewer', 'persons only')]],
  ])('is on no controller whose handler has an id in its path and %s', (_, decorators) => {
    expect(() => {
      @DashboardController('Knowledge bases', 'forgotten/:kb_id')
      class Forgotten {
        @Get()
        @applyDecorators(...decorators)
        get() {
          return {};
        }
      }
      return Forgotten;
    }).toThrow('Forgotten.get needs Access by an id of its path');
  });

  it('is on no controller whose handler does not say which keys of service accounts open it', () => {
    expect(() => {
      @DashboardController('Knowledge bases', 'forgotten')
      class Undeclared {
        @Get()
        get() {
          return {};
        }
      }
      return Undeclared;
    }).toThrow('Undeclared.get needs OpensTo');
  });

  it('makes the start fail for a resource that no provider resolves', async () => {
    @DashboardController('Documents')
    class OrphanController {
      @Get('documents/:document_id')
      @Access('document', 'viewer', 'persons only')
      get() {
        return {};
      }
    }
    const module = Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [OrphanController],
      providers: [
        ResourceResolvers,
        ...[KnowledgeBaseAccess, DashboardIdentity].map((provide) => ({ provide, useValue: {} })),
      ],
    });
    await expect(module.compile().then((compiled) => compiled.init())).rejects.toThrow(
      'OrphanController.get: no provider resolves the resource document',
    );
  });
});
