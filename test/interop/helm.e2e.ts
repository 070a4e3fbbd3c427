import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { load, loadAll } from 'js-yaml';
import { buildGoProgram } from '../support/go-program.mjs';
import { findProblems, type Manifest } from '../support/kubernetes-types.js';
import { registry } from '../support/requirement.js';

const helm = buildGoProgram('helm.sh/helm/v4@v4.3.1', './cmd/helm');
const CHART = 'deploy/helm/latchkey';
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'helm-'));

/** What has to be set, as deploy/kubernetes/latchkey.yaml has it. */
const REQUIRED = {
  image: { repository: 'registry.example.com/latchkey', tag: 'version' },
  config: { TRUSTED_PROXY_CIDRS: '10.0.0.0/16', CONTENT_STORE: 's3://bucket/latchkey' },
};
const SQLITE = {
  image: REQUIRED.image,
  ...{ database: 'sqlite', replicas: 1, persistence: { size: '5Gi', storageClass: '1' } },
  config: { DASHBOARD_AUTH_MODE: 'oidc', METRICS_PORT: null },
};
const VALUES: Readonly<Record<string, object>> = {
  'PostgreSQL behind a gateway': REQUIRED,
  'SQLite on a volume': SQLITE,
  'PostgreSQL of an operator, with an Ingress': {
    ...REQUIRED,
    ...{ replicas: 1, secretName: 'secrets', imagePullSecrets: [{ name: 'registry' }] },
    databaseUrl: { secretName: 'latchkey-app' },
    ingress: {
      ...{ enabled: true, className: 'nginx', tlsSecretName: 'tls' },
      annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
    },
    networkPolicy: { enabled: false },
  },
  'a key that rotates itself': { ...REQUIRED, rotateKey: { enabled: true } },
  'names that YAML takes for numbers and aliases': {
    ...REQUIRED,
    ...{ secretName: '1', databaseUrl: { secretName: '2', key: '3' } },
    ingress: { enabled: true, className: '4', host: '*.example.com', tlsSecretName: '5' },
    rotateKey: { enabled: true, url: '6', secretName: '7', secretKey: '8' },
  },
};

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly output: string;
}

function run(values: object, ...args: string[]): Run {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, JSON.stringify(values));
  const { status, stdout, stderr } = spawnSync(String(helm), [...args, CHART, '--values', file], {
    encoding: 'utf8',
    env: { HOME: folder },
  });
  return { status, stdout, output: stdout + stderr };
}

function render(values: object): Manifest[] {
  const { status, stdout, output } = run(values, 'template', 'latchkey');
  if (status !== 0) throw new Error(output);
  return (loadAll(stdout) as (Manifest | null)[]).filter((manifest) => manifest !== null);
}

/** Without what Helm needs and what only it knows. */
function withoutLabels(manifests: readonly Manifest[]): Manifest[] {
  const ofHelm = ['app.kubernetes.io/instance', 'checksum/config'];
  const plain = JSON.parse(
    JSON.stringify(manifests, (name, value: unknown) =>
      ofHelm.includes(name) ? undefined : value,
    ),
  ) as (Manifest & { metadata: { labels?: object } })[];
  for (const { metadata } of plain) delete metadata.labels;
  return plain.sort((one, other) => one.kind.localeCompare(other.kind));
}

/** A file of deploy/kubernetes, whose placeholders stand in angle brackets. */
const readManifests = (path: string) =>
  loadAll(
    readFileSync(join('deploy/kubernetes', path), 'utf8').replaceAll(/[<>]/g, ''),
  ) as Manifest[];

registry('Helm, from Go’s module proxy,', helm !== undefined).describe(CHART, () => {
  it.each(Object.entries(VALUES))('is valid, and so is what it renders: %s', (_, values) => {
    const { status, output } = run(values, 'lint', '--strict');
    expect([status, output]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
    const manifests = render(values);
    expect(manifests.length).toBeGreaterThan(4);
    expect(findProblems(manifests)).toEqual([]);
  });

  it('renders what deploy/kubernetes/latchkey.yaml has', () => {
    expect(withoutLabels(render(REQUIRED))).toEqual(withoutLabels(readManifests('latchkey.yaml')));
  });

  it('renders the CronJob that deploy/kubernetes/rotate-key has, for one Secret', () => {
    const plain = render(REQUIRED).map(({ kind, metadata: { name } }) => `${kind} ${name}`);
    const added = render({
      ...REQUIRED,
      rotateKey: { enabled: true, url: 'https://kb.example.com' },
    }).filter(({ kind, metadata: { name } }) => !plain.includes(`${kind} ${name}`));
    const text = JSON.stringify(withoutLabels(added)).replaceAll(
      'latchkey-rotate-key',
      'rotate-latchkey-key',
    );
    const rendered = JSON.parse(
      text
        // What a NetworkPolicy knows the pod by, and a variable with its default.
        .replace('"metadata":{"labels":{"app.kubernetes.io/name":"rotate-latchkey-key"}},', '')
        .replace('{"name":"SECRET_KEY","value":"api-key"},', ''),
    ) as Manifest[];
    expect(rendered).toEqual(withoutLabels(readManifests('rotate-key/rotate-key.yaml')));
  });

  it.each<[string, object, object]>([
    ['of the release', {}, { name: 'latchkey', key: 'DATABASE_URL' }],
    ['of the variables', { secretName: 'shop' }, { name: 'shop', key: 'DATABASE_URL' }],
    ['of an operator', { databaseUrl: { secretName: 'pg-app' } }, { name: 'pg-app', key: 'uri' }],
  ])('starts no pod without the URL of PostgreSQL in the Secret %s', (_, values, secretKeyRef) => {
    const deployment = render({ ...REQUIRED, ...values }).find(({ kind }) => kind === 'Deployment');
    expect(deployment).toMatchObject({
      spec: {
        template: {
          spec: { containers: [{ env: [{ name: 'DATABASE_URL', valueFrom: { secretKeyRef } }] }] },
        },
      },
    });
  });

  it('keeps the database of SQLite on a volume of the one pod', () => {
    const manifests = render(SQLITE);
    const kinds = manifests.map(({ kind }) => kind).sort();
    expect(kinds).toEqual([
      'ConfigMap',
      'NetworkPolicy',
      'Service',
      'ServiceAccount',
      'StatefulSet',
    ]);
    expect(manifests.find(({ kind }) => kind === 'StatefulSet')).toMatchObject({
      spec: {
        replicas: 1,
        volumeClaimTemplates: [{ metadata: { name: 'work' }, spec: { storageClassName: '1' } }],
      },
    });
  });

  it.each<[string, object, string]>([
    ['no image', { config: REQUIRED.config }, '/image/repository'],
    [
      'originals that only one pod has',
      { ...REQUIRED, config: { TRUSTED_PROXY_CIDRS: '::1/128' } },
      'CONTENT_STORE',
    ],
    [
      'a gateway from anywhere',
      { ...REQUIRED, config: { CONTENT_STORE: 's3://b/x' } },
      'TRUSTED_PROXY_CIDRS',
    ],
    ['several pods on SQLite', { ...SQLITE, replicas: 2 }, '/replicas'],
    ['an API for everybody', { ...REQUIRED, networkPolicy: { from: [] } }, '/networkPolicy/from'],
    [
      'metrics for everybody',
      { ...REQUIRED, networkPolicy: { metricsFrom: [] } },
      '/networkPolicy/metricsFrom',
    ],
    [
      'an API for whom nobody names',
      { ...REQUIRED, networkPolicy: { from: null } },
      "missing property 'from'",
    ],
    ['a misspelt value', { ...REQUIRED, replica: 3 }, 'replica'],
    ['a misspelt part of a value', { ...REQUIRED, ingress: { hosts: [] } }, 'hosts'],
  ])('refuses %s, and says where', (_, values, place) => {
    const { status, output } = run(values, 'template', 'latchkey');
    expect([status, output]).toEqual([1, expect.stringContaining(place)]);
  });

  it('has the release of package.json', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const chart = load(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
    expect(chart).toMatchObject({ appVersion: version });
  });
});
