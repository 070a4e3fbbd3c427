import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiKey,
  Client,
  inTurns,
  type IssuedApiKey,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { repetitions } from '../../../test/support/repetitions.js';
import { eventually, Service } from '../../../test/support/service.js';
import { onlyOn, withPlugins } from '../../../test/support/requirement.js';
import { newUserId, type SharedService } from '../../../test/support/shared-service.js';
import { databaseTime, hold, sql } from '../../../test/support/sql.js';

interface ServiceAccount {
  id: string;
  name: string;
  kbs: { kb_id: string; role: string }[];
  all: boolean;
  created_by: string;
}

interface AuditEvent {
  actor: string;
  action: string;
  target_id: string;
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe('service accounts', () => {
  let service: SharedService;
  let second: SharedService;
  let alice: Client;
  let bob: Client;
  let partner: Client;
  let kbId: string;
  let userId: string;
  let bobId: string;

  beforeAll(async () => {
    ({ service, second, alice, partner, kbId, userId } = await furnish());
    bobId = newUserId('bob');
    bob = new Client(service, bobId);
  });

  /** What a request with a key of a service account comes to. */
  const by = <T>(secret: string, method: string, path: string, body?: unknown) =>
    partner.call<T>(method, path, body, bearer(secret));
  const outcomeBy = async (...request: [string, string, string, unknown?]) =>
    outcome(await by(...request));
  const make = (client: Client, body: object) =>
    client.post<ServiceAccount>('/service-accounts', { name: 'Deployment', ...body });

  describe('and those in charge of them', () => {
    it('are visible to the owners of all their knowledge bases alone', async () => {
      const { body: account, status } = await make(alice, {
        kbs: [{ kb_id: kbId, role: 'member' }],
      });
      expect(status).toBe(201);
      expect(account).toMatchObject({
        id: expect.stringMatching(/^sa_[0-9a-z]{26}$/) as unknown,
        kbs: [{ kb_id: kbId, role: 'member' }],
        all: false,
        created_by: userId,
      });
      const path = `/service-accounts/${account.id}`;
      expect((await alice.get(path)).body).toEqual(account);
      expect(outcome(await bob.get(path))).toBe('404 not_found');
      await alice.call('PUT', `/kbs/${kbId}/members/${bobId}`, { role: 'owner' });
      expect((await bob.get(path)).body).toEqual(account);
      expect((await bob.get<Page<ServiceAccount>>('/service-accounts')).body.data).toEqual([
        account,
      ]);
      await alice.call('PUT', `/kbs/${kbId}/members/${bobId}`, { role: 'member' });
      expect(outcome(await bob.call('PATCH', path, { name: 'Mine' }))).toBe('404 not_found');
      expect((await bob.get<Page<ServiceAccount>>('/service-accounts')).body.data).toEqual([]);
    });

    it('give nobody a role in knowledge bases that they do not own', async () => {
      const foreign = await bob.createKnowledgeBase();
      const kbs = (id: string) => ({ kbs: [{ kb_id: id, role: 'viewer' }] });
      const absent = await make(alice, kbs('kb_01kafdp6ygf4rs4s2cr5cvzwkc'));
      expect(outcome(await make(alice, kbs(foreign.id)))).toBe(outcome(absent));
      expect(outcome(absent)).toBe('404 not_found');
      expect(outcome(await make(bob, kbs(kbId)))).toBe('403 owner_required');
      const account = await alice.createServiceAccount(kbId);
      const patched = await alice.call('PATCH', `/service-accounts/${account.id}`, kbs(foreign.id));
      expect(outcome(patched)).toBe('404 not_found');
      const named = await bob.call('PUT', `/kbs/${foreign.id}/members/${account.id}`, {
        role: 'owner',
      });
      expect(outcome(named)).toBe('400 validation_failed');
    });

    it('survive their creator, and stay with the other owners', async () => {
      const carolId = newUserId('carol');
      const carol = new Client(service, carolId);
      const kb = await alice.createKnowledgeBase();
      await alice.call('PUT', `/kbs/${kb.id}/members/${carolId}`, { role: 'owner' });
      const account = await alice.createServiceAccount(kb.id);
      const key = await alice.createManagementKey(account.id, ['documents:write']);
      await carol.call('DELETE', `/kbs/${kb.id}/members/${userId}`);
      expect(await outcomeBy(key.api_key, 'GET', `/kbs/${kb.id}/documents`)).toBe('200');
      expect(outcome(await alice.get(`/api-keys/${key.id}`))).toBe('404 not_found');
      expect(outcome(await carol.call('DELETE', `/api-keys/${key.id}`))).toBe('200');
      expect(await outcomeBy(key.api_key, 'GET', `/kbs/${kb.id}/documents`)).toBe(
        '401 invalid_api_key',
      );
    });

    it('do not count as the last owner of a knowledge base', async () => {
      const kb = await alice.createKnowledgeBase();
      await alice.createServiceAccount(kb.id, 'owner');
      const left = await alice.call('DELETE', `/kbs/${kb.id}/members/${userId}`);
      expect(outcome(left)).toBe('409 last_owner');
    });
  });

  describe('a key', () => {
    it('has the form of other keys, is shown once, and is listed by its prefix', async () => {
      const account = await alice.createServiceAccount(kbId);
      const key = await alice.createManagementKey(account.id, ['keys:read']);
      expect(key.api_key).toMatch(/^rag_admin_[0-9A-Za-z]{48}$/);
      expect(key).toMatchObject({ kb_id: null, environment: null, service_account_id: account.id });
      expect(key.prefix).toBe(key.api_key.slice(0, 20));
      const list = await alice.get<Page<ApiKey>>(`/service-accounts/${account.id}/api-keys`);
      expect(list.body.data.map(({ id }) => id)).toEqual([key.id]);
      expect(list.text).not.toContain(key.api_key);
    });

    it('opens what its scopes name, in the knowledge bases and the role of its account', async () => {
      const account = await alice.createServiceAccount(kbId, 'viewer');
      const key = await alice.createManagementKey(account.id, ['keys:write', 'members:write']);
      const keys = `/kbs/${kbId}/api-keys`;
      expect(await outcomeBy(key.api_key, 'GET', keys)).toBe('200');
      expect(await outcomeBy(key.api_key, 'POST', keys, { name: 'A', environment: 'live' })).toBe(
        '403 insufficient_role',
      );
      expect(await outcomeBy(key.api_key, 'GET', `/kbs/${kbId}`)).toBe('403 insufficient_scope');
      const foreign = await bob.createKnowledgeBase();
      expect(await outcomeBy(key.api_key, 'GET', `/kbs/${foreign.id}/api-keys`)).toBe(
        '404 not_found',
      );
      expect(await outcomeBy(key.api_key, 'GET', '/service-accounts')).toBe(
        '403 insufficient_scope',
      );
    });

    it('acts in the name of the service account, also in the audit trail', async () => {
      const account = await alice.createServiceAccount(kbId);
      const key = await alice.createManagementKey(account.id, ['keys:write']);
      const { body: made } = await by<IssuedApiKey>(key.api_key, 'POST', `/kbs/${kbId}/api-keys`, {
        name: 'By CI',
        environment: 'live',
      });
      expect(made.created_by).toBe(account.id);
      const path = `/kbs/${kbId}/audit-events?actor=${account.id}`;
      expect((await alice.get<Page<AuditEvent>>(path)).body.data).toMatchObject([
        { actor: account.id, action: 'api_key.created', target_id: made.id },
      ]);
      const own = await alice.get<Page<AuditEvent>>(`/audit-events?action=service_account.created`);
      expect(own.body.data.map(({ target_id }) => target_id)).toContain(account.id);
    });

    it('is never accepted beside a user or instead of an API key, nor an API key instead of it', async () => {
      const account = await alice.createServiceAccount(kbId);
      const { api_key: secret } = await alice.createManagementKey(account.id, ['kbs:write']);
      const { api_key: partners } = await alice.createApiKey(kbId);
      const both = await alice.call('GET', '/kbs', undefined, bearer(secret));
      expect(outcome(both)).toBe('400 invalid_user_id');
      expect(outcome(await partner.query(secret, 'Returns?'))).toBe('401 invalid_api_key');
      expect(await outcomeBy(secret, 'POST', '/chat', { message: 'Returns?' })).toBe(
        '401 invalid_api_key',
      );
      expect(await outcomeBy(partners, 'GET', '/kbs')).toBe(
        '401 dashboard_authentication_required',
      );
      const impersonated = new Client(service, account.id);
      expect(outcome(await impersonated.get('/kbs'))).toBe('400 invalid_user_id');
      // Another character in the checksum, and the same characters under another kind.
      const forged = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
      expect(await outcomeBy(forged, 'GET', '/kbs')).toBe('401 invalid_api_key');
      const disguised = partners.replace('rag_live_', 'rag_admin_');
      expect(await outcomeBy(disguised, 'GET', '/kbs')).toBe('401 invalid_api_key');
    });

    it('is refused from other addresses, and past its end', async () => {
      const account = await alice.createServiceAccount(kbId);
      const scopes = ['kbs:write'];
      const elsewhere = await alice.createManagementKey(account.id, scopes, {
        allowed_ips: ['192.0.2.0/24'],
      });
      expect(await outcomeBy(elsewhere.api_key, 'GET', '/kbs')).toBe('403 ip_not_allowed');
      const key = await alice.createManagementKey(account.id, scopes, {
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      });
      expect(await outcomeBy(key.api_key, 'GET', '/kbs')).toBe('200');
      await sql(
        service.environment,
        `UPDATE api_keys SET expires_at = ${databaseTime()} WHERE id = '${key.id}'`,
      );
      await eventually(async () => {
        return (await outcomeBy(key.api_key, 'GET', '/kbs')) === '401 api_key_expired';
      });
    });

    it('is rotated by itself, and changes nothing else about itself or its siblings', async () => {
      const account = await alice.createServiceAccount(kbId);
      const wide = await alice.createManagementKey(account.id, ['keys:write', 'kbs:write']);
      const key = await alice.createManagementKey(account.id, ['keys:write']);
      const path = `/api-keys/${key.id}`;
      expect(await outcomeBy(key.api_key, 'PATCH', path, { allowed_ips: null })).toBe(
        '403 insufficient_scope',
      );
      for (const [method, end] of [
        ['GET', ''],
        ['PATCH', '/revoke'],
        ['POST', '/rotate'],
        ['DELETE', ''],
      ] as const) {
        const body = method === 'POST' ? {} : undefined;
        expect(await outcomeBy(key.api_key, method, `/api-keys/${wide.id}${end}`, body)).toBe(
          '404 not_found',
        );
      }
      const { body: next } = await by<IssuedApiKey>(key.api_key, 'POST', `${path}/rotate`, {
        grace_period_seconds: 0,
      });
      expect(next).toMatchObject({ scopes: ['keys:write'], rotated_from: key.id });
      expect(await outcomeBy(key.api_key, 'GET', path)).toBe('401 api_key_expired');
      expect(await outcomeBy(next.api_key, 'GET', `/kbs/${kbId}/api-keys`)).toBe('200');
      expect(
        outcome(await alice.call('PATCH', `/api-keys/${next.id}`, { scopes: ['query'] })),
      ).toBe('400 validation_failed');
    });

    withPlugins('leak-reports').it('is revoked when it is reported as leaked', async () => {
      const account = await alice.createServiceAccount(kbId);
      const leaked = await alice.createManagementKey(account.id, ['kbs:write']);
      await partner.post('/leaked-api-keys', { api_keys: [leaked.api_key] });
      expect(await outcomeBy(leaked.api_key, 'GET', '/kbs')).toBe('401 api_key_revoked');
    });

    it('stops with its account', async () => {
      const account = await alice.createServiceAccount(kbId);
      const key = await alice.createManagementKey(account.id, ['kbs:write']);
      expect(outcome(await alice.call('DELETE', `/service-accounts/${account.id}`))).toBe('200');
      expect(await outcomeBy(key.api_key, 'GET', '/kbs')).toBe('401 invalid_api_key');
    });

    it('has a last use, and its uses are counted', async () => {
      const account = await alice.createServiceAccount(kbId);
      const key = await alice.createManagementKey(account.id, ['kbs:write']);
      expect(key.last_used_at).toBeNull();
      await by(key.api_key, 'GET', '/kbs');
      await by(key.api_key, 'GET', '/kbs');
      await by(key.api_key, 'GET', `/kbs/${kbId}/settings`);
      const usage = () => alice.get<{ requests_24h: number }>(`/api-keys/${key.id}/usage`);
      await eventually(async () => (await usage()).body.requests_24h === 2);
      expect((await usage()).body).toMatchObject({
        requests_30d: 2,
        last_ip: expect.any(String) as unknown,
        distinct_ips_24h: 1,
        safe_to_revoke: false,
      });
      const held = await by<{ usage_30d: object }>(key.api_key, 'GET', '/key');
      expect(held.body.usage_30d).toEqual({ requests: 2 });
    });

    it('is refused from the next request on when it is revoked, in every process', async () => {
      const account = await alice.createServiceAccount(kbId);
      const elsewhere = new Client(second);
      const late = await inTurns(repetitions(10, 1000), 5, async () => {
        const key = await alice.createManagementKey(account.id, ['kbs:write']);
        expect(await outcomeBy(key.api_key, 'GET', '/kbs')).toBe('200');
        await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
        const answers = await Promise.all(
          [partner, elsewhere].map((client) =>
            client.call('GET', '/kbs', undefined, bearer(key.api_key)),
          ),
        );
        await alice.call('DELETE', `/api-keys/${key.id}`);
        return answers.map(outcome).filter((answer) => answer !== '401 api_key_revoked');
      });
      expect(late.flat()).toEqual([]);
    }, 900_000);
  });

  // SQLite has one writer at a time: there the change has ended, or not begun.
  onlyOn('postgres').it('whose role is taken away, has changed nothing afterwards', async () => {
    // Of its own: nobody else records an event meanwhile.
    const own = await Service.start();
    const owner = new Client(own, 'alice');
    const kb = await owner.createKnowledgeBase();
    const account = await owner.createServiceAccount(kb.id);
    const key = await owner.createManagementKey(account.id, ['keys:write']);
    const release = await hold(own.environment, 'LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE');
    const waiting = async () => {
      const rows = await sql<{ pid: number }>(
        own.environment,
        `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'
         AND (query LIKE '%INTO%events%' OR query LIKE '%knowledge_base_members%')
         AND datname = current_database()`,
      );
      return rows.length;
    };
    const keys = `/kbs/${kb.id}/api-keys`;
    const withKey = new Client(own);
    // Its key is written; the event waits.
    const body = { name: 'Late', environment: 'live' };
    const creating = withKey.call<ApiKey>('POST', keys, body, bearer(key.api_key));
    await eventually(async () => (await waiting()) === 1);
    let removed = false;
    const removing = owner
      .call('PATCH', `/service-accounts/${account.id}`, { kbs: [] })
      .finally(() => {
        removed = true;
      });
    await eventually(async () => removed || (await waiting()) === 2);
    expect(removed).toBe(false);
    await release();
    expect([outcome(await creating), outcome(await removing)]).toEqual(['201', '200']);
    const afterwards = await withKey.call('GET', keys, undefined, bearer(key.api_key));
    expect(outcome(afterwards)).toBe('404 not_found');
    await own.stop();
  });

  describe('with "all"', () => {
    it('owns what it creates, together with those in charge of it, and nothing else', async () => {
      const { body: account } = await make(alice, { all: true });
      const { api_key: secret } = await alice.createManagementKey(account.id, ['kbs:write']);
      expect(await outcomeBy(secret, 'GET', `/kbs/${kbId}`)).toBe('404 not_found');
      const created = await by<{ id: string }>(secret, 'POST', '/kbs', { name: 'By Terraform' });
      expect(created.status).toBe(201);
      const { body: members } = await alice.get<Page<{ user_id: string; role: string }>>(
        `/kbs/${created.body.id}/members`,
      );
      expect(members.data.map(({ user_id, role }) => [user_id, role]).sort()).toEqual(
        [
          [userId, 'owner'],
          [account.id, 'owner'],
        ].sort(),
      );
      expect(await outcomeBy(secret, 'DELETE', `/kbs/${created.body.id}`)).toBe('200');
    });

    it('without it, creates nothing', async () => {
      const account = await alice.createServiceAccount(kbId, 'owner');
      const key = await alice.createManagementKey(account.id, ['kbs:write']);
      expect(await outcomeBy(key.api_key, 'POST', '/kbs', { name: 'More' })).toBe(
        '403 insufficient_role',
      );
    });
  });
});
