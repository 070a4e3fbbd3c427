import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { findProblems, type Manifest } from '../support/kubernetes-types.js';

interface Container {
  ports: { name: string; containerPort: number }[];
  env: object[];
  envFrom: Record<string, { name: string }>[];
  volumeMounts: { mountPath: string }[];
  securityContext: object;
  startupProbe: { httpGet: { path: string } };
  readinessProbe: { httpGet: { path: string } };
}

interface Deployment extends Manifest {
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: object;
        containers: Container[];
      };
    };
  };
}

const FILE = 'deploy/kubernetes/latchkey.yaml';

describe(FILE, () => {
  let manifests: Manifest[];
  let container: Container;
  let deployment: Deployment;

  beforeAll(() => {
    manifests = loadAll(readFileSync(FILE, 'utf8')) as Manifest[];
    deployment = manifests.find(({ kind }) => kind === 'Deployment') as Deployment;
    [container] = deployment.spec.template.spec.containers as [Container];
  });

  it('has the fields of the Kubernetes API and no others', () => {
    expect(findProblems(manifests)).toEqual([]);
    const wrong = structuredClone(deployment);
    Object.assign(wrong.spec.template.spec, { securityContexts: {} });
    expect(findProblems([wrong])).toEqual([
      expect.stringMatching(/securityContexts.* does not exist/),
    ]);
  });

  it('sets variables that docs/configuration.md lists', () => {
    const configuration = readFileSync('docs/configuration.md', 'utf8');
    const names = manifests.flatMap(({ data }) => Object.keys(data ?? {}));
    const created = readFileSync(FILE, 'utf8').matchAll(/--from-literal=(\w+)=/g);
    const all = [...names, ...[...created].map(([, name]) => String(name))];
    expect(all.length).toBeGreaterThan(5);
    expect(all.filter((name) => !configuration.includes(`\n| \`${name}\` `))).toEqual([]);
  });

  it('starts no pod without the URL of PostgreSQL', () => {
    const secretKeyRef = { name: 'latchkey', key: 'DATABASE_URL' };
    expect(container.env).toEqual([{ name: 'DATABASE_URL', valueFrom: { secretKeyRef } }]);
    expect(container.envFrom).toContainEqual({ secretRef: { name: secretKeyRef.name } });
  });

  it('has the port, the volume and the health check of the Dockerfile', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    const port = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]);
    expect(container.ports[0]).toEqual({ name: 'http', containerPort: port });
    const volume = /^VOLUME (\S+)$/m.exec(dockerfile)?.[1];
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain(volume);
    expect(dockerfile).toContain(container.readinessProbe.httpGet.path);
  });

  it('gives the pod no privileges, and time to stop', () => {
    const { spec } = deployment.spec.template;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    // SHUTDOWN_GRACE_SECONDS, and the sleep of preStop.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(10 + 5);
  });
});
