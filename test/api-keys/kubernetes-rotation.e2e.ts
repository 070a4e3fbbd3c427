import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { type Client, type IssuedApiKey, outcome } from '../support/client.js';
import { furnish } from '../support/furnish.js';
import { KubernetesApi } from '../support/kubernetes-api.js';
import { findProblems, type Manifest } from '../support/kubernetes-types.js';
import { LossyFront } from '../support/lossy-front.js';
import type { Result } from '../support/packed-cli.js';
import { optionalTool } from '../support/requirement.js';

const RECIPE = 'deploy/kubernetes/rotate-key';
const DAY_MS = 24 * 60 * 60 * 1000;
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'pod-'));
const mounted = (name: string) => join(folder, name);

/** A certificate of 127.0.0.1 that signs itself, as that of a cluster does. */
const withOpenssl = optionalTool(
  'openssl',
  spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=kubernetes'],
    ...[
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      mounted('key'),
      '-out',
      mounted('ca.crt'),
    ],
  ]).status === 0,
);

interface CronJob extends Manifest {
  spec: {
    concurrencyPolicy: string;
    jobTemplate: {
      spec: {
        template: {
          spec: {
            serviceAccountName: string;
            containers: [{ command: string[]; env: { name: string; value: string }[] }];
          };
        };
      };
    };
  };
}

describe('the CronJob that rotates a key', () => {
  const manifests = loadAll(readFileSync(join(RECIPE, 'rotate-key.yaml'), 'utf8')) as Manifest[];
  const ofKind = (kind: string) => manifests.find((one) => one.kind === kind);
  const job = ofKind('CronJob') as CronJob;
  const { spec: pod } = job.spec.jobTemplate.spec.template;
  const [container] = pod.containers;
  const valueOf = (variable: string) => container.env.find(({ name }) => name === variable)?.value;

  it('has the fields of the Kubernetes API and no others', () => {
    expect(findProblems(manifests)).toEqual([]);
  });

  it('may read and change its Secret, and nothing else', () => {
    expect(ofKind('Role')).toMatchObject({
      rules: [
        {
          ...{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'patch'] },
          resourceNames: [valueOf('SECRET_NAME')],
        },
      ],
    });
    const name = pod.serviceAccountName;
    expect(ofKind('RoleBinding')).toMatchObject({
      roleRef: { kind: 'Role', name: ofKind('Role')?.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name }],
    });
    expect(ofKind('ServiceAccount')).toMatchObject({
      ...{ metadata: { name }, automountServiceAccountToken: false },
    });
    expect(job.spec.concurrencyPolicy).toBe('Forbid');
  });

  it('runs the script that the Dockerfile puts into the image', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    const [, script = ''] = container.command;
    expect(dockerfile).toContain(`\nCOPY ${RECIPE}/${script} ./\n`);
    expect(readFileSync('.dockerignore', 'utf8')).toContain(`\n!${RECIPE}/${script}\n`);
  });

  withOpenssl.describe('run', () => {
    let alice: Client;
    let partner: Client;
    let kbId: string;
    let front: LossyFront;
    let kubernetes: KubernetesApi;
    let key: IssuedApiKey;

    beforeAll(async () => {
      const furnished = await furnish();
      ({ alice, partner, kbId } = furnished);
      front = await LossyFront.start(furnished.service.url);
      writeFileSync(mounted('namespace'), 'shop');
      writeFileSync(mounted('token'), 'token-of-the-pod\n');
      kubernetes = await KubernetesApi.start(
        `/api/v1/namespaces/shop/secrets/${String(valueOf('SECRET_NAME'))}`,
        'token-of-the-pod',
        { key: readFileSync(mounted('key')), cert: readFileSync(mounted('ca.crt')) },
      );
    });
    beforeEach(async () => {
      key = await alice.createApiKey(kbId, { self_rotation: { grace_seconds: 3600 } });
      kubernetes.put(key.api_key);
      front.refusals.clear();
    });
    afterAll(() => {
      front.stop();
      kubernetes.stop();
    });

    /** With the variables of the manifest, except for addresses. */
    const rotate = (): Promise<Result> =>
      promisify(execFile)(process.execPath, container.command.slice(1), {
        cwd: RECIPE,
        env: {
          ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
          LATCHKEY_URL: front.url,
          KUBERNETES_API: kubernetes.url,
          SERVICE_ACCOUNT: folder,
          NODE_EXTRA_CA_CERTS: mounted('ca.crt'),
        },
      }).then(
        (output) => ({ code: 0, ...output }),
        (error: unknown) => error as Result,
      );
    const asks = async (secret: string) => outcome(await partner.query(secret, 'returns'));
    const find = async (id: string) => (await alice.get<IssuedApiKey>(`/api-keys/${id}`)).body;

    /** The one successor of the key, which must be in the Secret. */
    async function findSuccessor(): Promise<string> {
      const successor = await find(String((await find(key.id)).rotated_to));
      expect(successor.rotated_to).toBeNull();
      expect(kubernetes.key.startsWith(successor.prefix)).toBe(true);
      expect([await asks(key.api_key), await asks(kubernetes.key)]).toEqual(['200', '200']);
      return successor.id;
    }

    it('replaces the key in the Secret, and does so again when it is old', async () => {
      const { code, stdout, stderr } = await rotate();
      expect([code, stderr]).toEqual([0, '']);
      await findSuccessor();
      expect(stdout).not.toContain(kubernetes.key);
      const secret = kubernetes.key;
      expect((await rotate()).stdout).toMatch(/^Nothing to do/);
      expect(kubernetes.key).toBe(secret);
      const rotatedAt = new Date(Date.now() - 31 * DAY_MS).toISOString();
      kubernetes.put(secret, { 'latchkey/rotated-at': rotatedAt });
      expect((await rotate()).code).toBe(0);
      expect(kubernetes.key).not.toBe(secret);
    });

    it('gets the same successor after an answer that was lost', async () => {
      front.losesNext = true;
      expect((await rotate()).code).toBe(1);
      expect(kubernetes.key).toBe(key.api_key);
      const { rotated_to: successor } = await find(key.id);
      expect((await rotate()).code).toBe(0);
      expect(await findSuccessor()).toBe(successor);
    });

    it('leaves a key in the Secret that another run has stored and that works', async () => {
      kubernetes.beforePatch = async () => {
        expect((await rotate()).code).toBe(0);
      };
      expect((await rotate()).code).toBe(0);
      await findSuccessor();
    });

    it('replaces what another run has stored and what works no more', async () => {
      kubernetes.beforePatch = () => {
        kubernetes.put(`rag_live_${'x'.repeat(48)}`);
      };
      expect((await rotate()).code).toBe(0);
      await findSuccessor();
    });

    it.each([403, 429, 503])(
      'leaves what somebody else has stored when the service answers %d about it',
      async (status) => {
        const { api_key: other } = await alice.createApiKey(kbId);
        kubernetes.beforePatch = () => {
          kubernetes.put(other);
          front.refusals.set('/api/v1/key', status);
        };
        const { code, stderr } = await rotate();
        expect([code, stderr]).toEqual([1, expect.stringContaining(String(status))]);
        expect(kubernetes.key).toBe(other);
      },
    );

    it.each([401, 503])(
      'stores no successor about which the service answers %d, and the same one later',
      async (status) => {
        front.refusals.set('/api/v1/key', status);
        expect((await rotate()).code).toBe(1);
        expect(kubernetes.key).toBe(key.api_key);
        const { rotated_to: successor } = await find(key.id);
        front.refusals.clear();
        expect((await rotate()).code).toBe(0);
        expect(await findSuccessor()).toBe(successor);
      },
    );

    it('leaves the Secret as it is and says why when the key may not rotate itself', async () => {
      await alice.call('PATCH', `/api-keys/${key.id}`, { self_rotation: null });
      const { code, stderr } = await rotate();
      expect([code, stderr]).toEqual([1, expect.stringContaining('self_rotation_off')]);
      expect(kubernetes.key).toBe(key.api_key);
    });
  });
});
