import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { auditCommand, linesOf, parsedLines, verifyAudit } from '../support/audit-log.js';
import { Client, type KnowledgeBase } from '../support/client.js';
import { figure } from '../support/figure.js';
import { repetitions } from '../support/repetitions.js';
import { eventually, Service } from '../support/service.js';
import { databaseTime, sql } from '../support/sql.js';

const ROUNDS = repetitions(3, 20);
/** Two processes on PostgreSQL write to one file, in turns. */
const LOG = join(mkdtempSync(join(tmpdir(), 'latchkey-audit-')), 'audit.jsonl');

it(`has each event after ${ROUNDS} kills -9 at random moments, in one chain`, async () => {
  let one = await Service.start({ AUDIT_LOG: `file:${LOG}` });
  const { environment } = one;
  const kb: KnowledgeBase = await new Client(one, 'alice').createKnowledgeBase();
  for (let round = 0; round < ROUNDS; round++) {
    const other = await one.beside();
    const enough = Promise.withResolvers<undefined>();
    const killedAfter = 1 + Math.floor(Math.random() * 80);
    let answered = 0;
    const changes = [one, other].flatMap((service, which) =>
      Array.from({ length: 60 }, async (_, n) => {
        await pause(Math.random() * 1000);
        await new Client(service, 'alice')
          .call('PUT', `/kbs/${kb.id}/members/user-${round}-${which}-${n}`, { role: 'viewer' })
          .catch(() => undefined);
        if (++answered === killedAfter) enough.resolve(undefined);
      }),
    );
    await Promise.race([enough.promise, Promise.all(changes)]);
    await pause(Math.random() * 1000);
    await one.kill();
    if (other !== one) await other.kill();
    await Promise.all(changes);
    // The killed process may hold the job for a minute.
    await sql(environment, `UPDATE job_leases SET expires_at = ${databaseTime(-1000)}`);
    one = await Service.start(environment);
  }
  const written = async () =>
    (await sql<{ id: string }>(environment, 'SELECT id FROM events WHERE actor IS NOT NULL')).map(
      ({ id }) => id,
    );
  const events = (await written()).sort();
  // A line that a kill has cut is no JSON; the whole one follows.
  const whole = () =>
    linesOf(readFileSync(LOG, 'utf8'))
      .filter((line) => line.endsWith('"}}'))
      .flatMap((line) => parsedLines(`${line}\n`));
  await eventually(
    () => new Set(whole().map(({ metadata }) => metadata.uid)).size >= events.length,
  );
  const bySequence = new Map(whole().map(({ metadata }) => [metadata.sequence, metadata.uid]));
  expect([...bySequence.values()].sort()).toEqual(events);
  const head = await auditCommand(environment, 'head');
  const keys = await auditCommand(environment, 'keys');
  const { code, stdout } = await verifyAudit(keys, '--head', head, LOG);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`lines 1 to ${events.length}`)]);
  figure(`audit log after ${ROUNDS} kills: ${events.length} events, ${whole().length} lines`);
  await one.stop();
});
