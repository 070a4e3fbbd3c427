import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import type {
  ExtractionMessage,
  ExtractionOutcome,
  ExtractionTask,
} from '@latchkey/extraction/extraction.process';
import { DOC, FORMATS, PPT, XLS, ZIP } from '@latchkey/extraction/formats';
import { EXTRACTION_PROCESS } from '@latchkey/extraction/process-url';
import { NO_PROGRESS, TOO_LARGE } from '@latchkey/extraction/watched-process';
import type { Document, Page } from '../support/client.js';
import { broken, madeFiles, random } from '../support/broken-files.js';
import { docx, documentXml, paragraph, uploadFile, zip } from '../support/files.js';
import { furnish } from '../support/furnish.js';
import { eventually } from '../support/service.js';

const FILES = new URL('../../packages/extraction/test/files/', import.meta.url);
const CASES = Number(process.env['BROKEN_FILES'] ?? 300);
const ARCHIVES = 60;
/** LibreOffice has limits of its own, and an archive no reader. */
const LEFT_OUT = new Set([DOC, PPT, XLS, ZIP]);
/** Stands in a document that is read between two broken ones. */
const SECRET = 'quartzwhistle';

describe('the process that reads documents, given broken ones,', () => {
  let started: { child: ChildProcess; ended: Promise<string> } | undefined;

  const end = () => {
    started?.child.kill('SIGKILL');
    started = undefined;
  };
  afterEach(end);

  function start() {
    const child = fork(EXTRACTION_PROCESS, {
      env: {},
      execArgv: ['--max-old-space-size=160', '--wasm-num-compilation-tasks=1'],
      serialization: 'advanced',
    });
    return { child, ended: once(child, 'exit').then(([code, signal]) => String(signal ?? code)) };
  }

  /** What it makes of a document, or what it ended with. */
  async function outcomeOf(mimeType: string, content: Uint8Array) {
    const { child, ended } = (started ??= start());
    const limits = { chunkSize: 300, chunkOverlap: 30, maxPages: 10, recognised: [] };
    const request = { mimeType, content, ocr: 'auto' as const, ...limits };
    const replied = new Promise<ExtractionOutcome | undefined>((resolve) => {
      child.on('message', function listen(message: ExtractionMessage) {
        if (message === 'started') return;
        child.off('message', listen);
        if (!message.isReusable) end();
        resolve(message.outcomes[0]);
      });
    });
    child.send({ mimeTypes: [mimeType], requests: [request] } satisfies ExtractionTask);
    const result = await Promise.race([replied, ended]);
    if (typeof result === 'string') end();
    return result;
  }

  it(`answers each of ${CASES} within its limits, and with nothing of another document`, async () => {
    const next = random(51);
    const types = [...FORMATS].filter(([type]) => !LEFT_OUT.has(type));
    const real = readdirSync(FILES).flatMap((name) => {
      const extension = name.slice(name.lastIndexOf('.') + 1);
      const [type] = types.find(([, format]) => format.extensions.includes(extension)) ?? [];
      return type ? [[type, readFileSync(new URL(name, FILES))] as const] : [];
    });
    const files = [...real, ...(await madeFiles())];
    expect(new Set(files.map(([type]) => type))).toEqual(new Set(types.map(([type]) => type)));
    const pick = () => files[Math.floor(next() * files.length)] ?? ['', Buffer.alloc(0)];
    const endings = new Set<string>();
    for (let n = 0; n < CASES; n++) {
      const [type, file] = pick();
      const result = await outcomeOf(type, broken(file, pick()[1], next));
      if (typeof result === 'string') endings.add(result);
      else {
        const { message } = result && 'unreadable' in result ? result.unreadable : { message: '' };
        const isRead = result && 'result' in result;
        expect([isRead, message]).toEqual(isRead ? [true, ''] : [false, expect.any(String)]);
        expect(JSON.stringify(result)).not.toContain(SECRET);
      }
      if (n % 10 === 0) {
        const whole = await outcomeOf('text/plain', Buffer.from(`The word is ${SECRET}.`));
        expect(JSON.stringify(whole)).toContain(SECRET);
      }
    }
    // Any other one would be a crash.
    expect([...endings].filter((each) => each !== TOO_LARGE && each !== NO_PROGRESS)).toEqual([]);
  }, 600_000);
});

describe('a broken ZIP archive', () => {
  it(`is refused, or read as far as it can be, ${ARCHIVES} times`, async () => {
    const { alice, kbId } = await furnish();
    const letter = docx(documentXml(paragraph('Dear Jane.')));
    const whole = zip([
      { name: 'a.md', content: '# Leave\n\nThirty days a year.' },
      { name: 'b.docx', content: letter },
      { name: 'inner.zip', content: zip([{ name: 'c.txt', content: 'Inside.' }]) },
    ]);
    const next = random(8);
    for (let n = 0; n < ARCHIVES; n++) {
      const bytes = broken(whole, letter, next);
      const answer = await uploadFile(alice, kbId, { name: 'files.zip', bytes });
      expect([202, 400, 409, 413, 415, 422]).toContain(answer.status);
    }
    await eventually(async () => {
      const { body } = await alice.get<Page<Document>>(`/kbs/${kbId}/documents?limit=100`);
      return body.data.every(({ status }) => status === 'ready' || status === 'failed');
    }, 120_000);
    expect((await alice.get(`/kbs/${kbId}`)).status).toBe(200);
  }, 300_000);
});
