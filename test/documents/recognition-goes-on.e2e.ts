import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { PATIENCE_MS, recognitionIn, withPicture, withPictures } from '../support/recognition.js';
import {
  paddleOcr,
  type RecognitionAnswer,
  RecognitionServer,
} from '../support/recognition-server.js';
import { onlyOn } from '../support/requirement.js';
import { pdfOfScans, scan } from '../support/scans.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const PAGES = 3;

describe('recognition goes on', () => {
  let server: RecognitionServer;
  let service: Service;
  let alice: Client;
  let kbId: string;
  let scans: Buffer;
  let picture: Buffer;
  /** Answers that a test has not let through. */
  let held: (() => void)[] = [];

  beforeAll(async () => {
    const drawn = await scan(['The valve opens at four bar']);
    scans = await pdfOfScans(
      await Promise.all(Array.from({ length: PAGES }, (_, n) => scan([`Page ${n + 1}`]))),
    );
    picture = await drawn.trim({ margin: 20 }).png().toBuffer();
    server = await RecognitionServer.start();
    service = await Service.start({ OCR_BASE_URL: server.url });
    alice = new Client(service, 'alice');
  });

  afterEach(() => {
    release();
    server.asked.length = 0;
  });

  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const release = () => {
    for (const answer of held) answer();
    held = [];
  };
  const answerAs = (answer: () => RecognitionAnswer, isHeld: () => boolean = () => false) => {
    server.answer = async (path) => {
      if (path !== '/ocr') return [404, {}];
      const own = answer();
      if (isHeld()) await new Promise<void>((resolve) => held.push(resolve));
      return own;
    };
  };
  const numbered = () => {
    let count = 0;
    return () => paddleOcr(`Recognised ${++count}`);
  };
  const pagesAsked = () => server.asked.filter(({ path }) => path === '/ocr').length;
  const isReading = () =>
    execFileSync('ps', ['-A', '-o', 'ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .some((line) => parseInt(line) === service.pid && line.includes('extraction.process'));
  /** Documents that are not being recognised yet, but nothing else is left to do. */
  const waiting = async () => {
    const rows = await sql<{ id: string }>(
      service.environment,
      `SELECT subject_id AS id FROM queued_jobs WHERE state = 'waiting' AND kind = 'recognition'`,
    );
    return rows.map(({ id }) => id);
  };
  const { upload, ended, textOf } = recognitionIn(() => ({ alice, kbId }));

  it(
    'behind the last page, when the service was killed',
    async () => {
      ({ id: kbId } = await alice.createKnowledgeBase());
      answerAs(numbered(), () => pagesAsked() > 1);
      const id = await upload('killed.pdf', scans);
      await eventually(() => held.length > 0, PATIENCE_MS);
      const { environment } = service;
      await service.kill();
      release();
      answerAs(numbered());
      service = await Service.start(environment);
      alice = new Client(service, 'alice');
      expect((await ended(id)).warnings).toMatchObject([{ code: 'recognised', pages: [1, 2, 3] }]);
      // The page that was being recognised is so again.
      expect(pagesAsked()).toBe(PAGES + 1);
    },
    PATIENCE_MS,
  );

  it.each(['replaced', 'deleted'])(
    'without what was recognised of a document that was %s meanwhile',
    async (change) => {
      ({ id: kbId } = await alice.createKnowledgeBase());
      answerAs(
        () => paddleOcr('of the old picture'),
        () => true,
      );
      const id = await upload('old.docx', withPicture('Old text.', picture), {
        external_id: 'one',
      });
      await eventually(() => held.length > 0, PATIENCE_MS);
      if (change === 'deleted') await alice.call('DELETE', `/documents/${id}`);
      else {
        const fields = { external_id: 'one', on_duplicate: 'replace' };
        expect(await upload('new.txt', Buffer.from('New text.'), fields)).toBe(id);
      }
      release();
      answerAs(() => paddleOcr('of the old picture'));
      if (change === 'deleted') {
        expect((await alice.get(`/documents/${id}`)).status).toBe(404);
      } else {
        expect((await ended(id)).warnings).toEqual([]);
        expect(await textOf(id)).toBe('New text.');
      }
    },
    PATIENCE_MS,
  );

  it(
    'first with a document of which nothing can be searched yet, then in turns',
    async () => {
      ({ id: kbId } = await alice.createKnowledgeBase());
      const count = 6;
      const pictures = await Promise.all(
        Array.from({ length: count }, async (_, n) =>
          (await scan([`Picture ${n}`])).png().toBuffer(),
        ),
      );
      answerAs(numbered(), () => held.length === 0 && pagesAsked() === 1);
      const many = await upload('pictures.docx', withPictures('Text.', pictures));
      await eventually(() => held.length > 0, PATIENCE_MS);
      const one = await upload('picture.docx', withPicture('One.', picture));
      const scanned = await upload('scan.png', picture);
      await eventually(async () => {
        const ids = await waiting();
        return ids.includes(one) && ids.includes(scanned);
      }, PATIENCE_MS);
      // As if it had been replaced often.
      await sql(
        service.environment,
        `UPDATE documents SET last_version = last_version + 50 WHERE id = '${one}'`,
      );
      release();
      expect((await ended(many)).warnings).toMatchObject([{ code: 'recognised' }]);
      // After the pictures that are recognised in one turn.
      expect(await textOf(scanned)).toBe('Recognised 5');
      expect(await textOf(one)).toContain('Recognised 6');
      expect(await textOf(many)).toContain(`Recognised ${count + 2}`);
    },
    PATIENCE_MS,
  );

  it(
    'behind the last page, without reading the document again, when the server was away',
    async () => {
      ({ id: kbId } = await alice.createKnowledgeBase());
      const recognise = numbered();
      let isAway = false;
      answerAs(() => {
        if (isAway) return [503, {}];
        isAway = true;
        return recognise();
      });
      const id = await upload('away.pdf', scans);
      await eventually(() => pagesAsked() > 1, PATIENCE_MS / 2);
      // A process that reads documents ends when it has had nothing to read for twice the pause.
      await eventually(() => !isReading(), PATIENCE_MS / 2);
      isAway = false;
      answerAs(recognise);
      expect((await ended(id)).warnings).toMatchObject([{ code: 'recognised', pages: [1, 2, 3] }]);
      expect(await textOf(id)).toBe('Recognised 1 Recognised 2 Recognised 3');
    },
    PATIENCE_MS,
  );

  it(
    'with pages that were given up, when their document is indexed again',
    async () => {
      ({ id: kbId } = await alice.createKnowledgeBase());
      answerAs(() => [422, {}]);
      const id = await upload('again.docx', withPicture('Text.', picture));
      expect((await ended(id)).warnings).toMatchObject([{ code: 'page_unreadable' }]);
      answerAs(() => paddleOcr('Recognised at last'));
      await alice.call('POST', `/documents/${id}/reindex`);
      expect((await ended(id)).warnings).toMatchObject([{ code: 'recognised' }]);
      expect(await textOf(id)).toContain('Recognised at last');
    },
    PATIENCE_MS,
  );

  onlyOn('postgres').it('in a second process, when the one that recognises is killed', async () => {
    ({ id: kbId } = await alice.createKnowledgeBase());
    answerAs(numbered(), () => pagesAsked() > 1);
    const id = await upload('two.pdf', scans);
    await eventually(() => held.length > 0, PATIENCE_MS);
    const second = await service.beside();
    await service.kill();
    release();
    answerAs(numbered());
    const bySecond = new Client(second, 'alice');
    expect((await ended(id, bySecond)).warnings).toMatchObject([
      { code: 'recognised', pages: [1, 2, 3] },
    ]);
    expect(pagesAsked()).toBe(PAGES + 1);
    service = second;
  });
});
