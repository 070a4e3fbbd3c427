import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Client } from '../support/client.js';
import { hasApache, installWsgiDav, RunningDav, USER } from '../support/dav-servers.js';
import { optionalTool, registry, type Requirement } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { Sources } from '../support/sources.js';

const NOTHING = { added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 };
const DATE = new Date('2025-03-05T08:00:00Z');
const NAMES = [
  'leave.md',
  '100% #1?.md',
  'a&b=c+d;e.md',
  'hr/täglich/知识 库.md',
  'e\u0301t\u00e9.md',
];

const installed = mkdtempSync(join(tmpdir(), 'latchkey-wsgidav-'));
afterAll(() => {
  rmSync(installed, { recursive: true });
});

describe('servers of WebDAV', () => {
  let service: Service;
  let alice: Client;

  beforeAll(async () => {
    service = await Service.start({ SOURCE_ALLOW_PRIVATE: 'yes' });
    alice = new Client(service, 'alice');
  });

  afterAll(() => service.stop());

  const SERVERS: [string, Requirement, () => Promise<RunningDav>][] = [
    [
      'WsgiDAV',
      registry('Python’s registry', installWsgiDav(installed)),
      () => RunningDav.startWsgiDav(installed),
    ],
    ['Apache', optionalTool('apache2', hasApache), () => RunningDav.startApache()],
  ];
  for (const [name, requirement, start] of SERVERS) {
    requirement.it(
      `such as ${name} are kept in step, whatever their files are called`,
      async () => {
        const server = await start();
        try {
          await keepInStep(server);
        } finally {
          await server.stop();
          rmSync(server.folder, { recursive: true });
        }
      },
    );
  }

  async function keepInStep(server: RunningDav): Promise<void> {
    const write = (file: string, content: string) => {
      const path = join(server.files, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      utimesSync(path, DATE, DATE);
    };
    for (const file of NAMES) write(file, `The rule of ${file} is to pay 90 euros.`);
    const sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
    const wrong = await alice.post(`/kbs/${sources.kbId}/sources/test`, {
      ...{ type: 'webdav', config: server.config, credentials: { ...USER, password: 'wrong' } },
    });
    expect(wrong.body).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    const source = await sources.connect('webdav', server.config, { credentials: USER });
    expect(await sources.run(source.id)).toMatchObject({
      ...{ status: 'complete', counts: { ...NOTHING, added: NAMES.length } },
    });
    const documents = await sources.documents();
    for (const file of NAMES) {
      expect(documents).toContainEqual(
        expect.objectContaining({
          ...{
            title: file.replace(/^.*\//, ''),
            date: { value: '2025-03-05', from: 'source' },
          },
        }),
      );
    }
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, unchanged: NAMES.length });
    write('leave.md', 'Leave is 31 days.');
    renameSync(join(server.files, '100% #1?.md'), join(server.files, 'moved.md'));
    rmSync(join(server.files, 'hr'), { recursive: true });
    expect((await sources.run(source.id, { confirm: true })).counts).toEqual({
      ...{ ...NOTHING, added: 1, changed: 1, deleted: 2, unchanged: 2 },
    });
    const { api_key: key } = await alice.createApiKey(sources.kbId);
    await eventually(async () =>
      (await alice.query(key, 'How long is leave?')).text.includes('31 days'),
    );
  }
});
