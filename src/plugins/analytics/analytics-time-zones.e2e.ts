import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Figures,
  createReportedKnowledgeBase,
  report,
  type Series,
} from '../../../test/support/analytics.js';
import { Client, outcome } from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { type SharedService } from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';

describe('a time zone of a report', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ service, alice } = await furnish());
    const { kbId: kb, live } = await createReportedKnowledgeBase(alice);
    kbId = kb;
    const insert = async (time: string) => {
      const quarter = Math.floor(Date.parse(time) / 900_000) * 900_000;
      await sql(
        service.environment,
        `INSERT INTO usage_counts VALUES ('${kb}', 'quarter', ${quarter}, '${live.id}', '', 'live',
           0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, '')
         ON CONFLICT (kb_id, period, at_ms, api_key_id, id)
         DO UPDATE SET chats = usage_counts.chats + 1,
           conversations = usage_counts.conversations + 1, answered = usage_counts.answered + 1`,
      );
    };
    // Berlin goes back by an hour at 01:00 UTC on 25 October, and forward on 29 March.
    for (const time of [
      ...['2026-10-24T21:59:00Z', '2026-10-24T22:00:00Z', '2026-10-25T00:30:00Z'],
      ...['2026-10-25T01:30:00Z', '2026-10-25T22:59:00Z', '2026-10-25T23:00:00Z'],
      ...['2026-03-28T23:00:00Z', '2026-03-29T21:59:00Z', '2026-03-29T22:00:00Z'],
    ]) {
      await insert(time);
    }
  });

  const chats = (series: Series) => series.map(({ date, chats: count }) => [date, count]);

  it('has a day of 25 hours, and one of 23', async () => {
    const berlin = 'timezone=Europe/Berlin';
    const days = await report(alice, kbId, `from=2026-10-24&to=2026-10-27&${berlin}`);
    expect(chats(days.series)).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 4],
      ['2026-10-26', 1],
    ]);
    const autumn = await report(
      alice,
      kbId,
      `from=2026-10-25&to=2026-10-26&interval=hour&${berlin}`,
    );
    expect(autumn.series).toHaveLength(25);
    expect(chats(autumn.series).filter(([, count]) => count !== 0)).toEqual([
      ['2026-10-25T00:00:00.000+02:00', 1],
      ['2026-10-25T02:00:00.000+02:00', 1],
      ['2026-10-25T02:00:00.000+01:00', 1],
      ['2026-10-25T23:00:00.000+01:00', 1],
    ]);
    const spring = await report(
      alice,
      kbId,
      `from=2026-03-29&to=2026-03-30&interval=hour&${berlin}`,
    );
    expect(spring.series).toHaveLength(23);
    expect(spring.totals.chats).toBe(2);
    expect(spring.series.map(({ date }) => date)).not.toContain('2026-03-29T02:00:00.000+01:00');
  });

  it('says on which of its days and in which of its hours end users came, each once', async () => {
    const { kbId: kb, live, test } = await createReportedKnowledgeBase(alice);
    const come = (user: number, key: { id: string; environment: string }, time: string) =>
      sql(
        service.environment,
        `INSERT INTO usage_members
           (kb_id, kind, quarter, api_key_id, member, environment, requests)
         VALUES ('${kb}', 'end_user', ${Math.floor(Date.parse(time) / 900_000)}, '${key.id}',
           '${user}', '${key.environment}', 1)`,
      );
    // Midnight in Berlin is at 22:00 UTC until 25 October, and from then on at 23:00.
    await come(1, live, '2026-10-23T21:45:00Z');
    await come(1, live, '2026-10-23T22:00:00Z');
    await come(1, test, '2026-10-24T21:45:00Z');
    await come(2, live, '2026-10-24T21:59:00Z');
    await come(3, live, '2026-10-25T22:45:00Z');
    await come(2, live, '2026-10-25T23:00:00Z');
    const endUsers = async (search: string) => {
      const { totals, series } = await report(alice, kb, `${search}&timezone=Europe/Berlin`);
      const some = series.filter(({ end_users: count }) => count > 0);
      return [totals.end_users, ...some.map(({ date, end_users: count }) => [date, count])];
    };
    expect(await endUsers('from=2026-10-23&to=2026-10-27')).toEqual([
      ...[3, ['2026-10-23', 1], ['2026-10-24', 2], ['2026-10-25', 1], ['2026-10-26', 1]],
    ]);
    expect(await endUsers('from=2026-10-24&to=2026-10-25&interval=hour')).toEqual([
      ...[2, ['2026-10-24T00:00:00.000+02:00', 1], ['2026-10-24T23:00:00.000+02:00', 2]],
    ]);
    expect(await endUsers('from=2026-10-23&to=2026-10-27&environment=test')).toEqual([
      ...[1, ['2026-10-24', 1]],
    ]);
    const { body } = await alice.get<{ data: { api_key_id: string; totals: Figures }[] }>(
      `/kbs/${kb}/analytics?from=2026-10-23&to=2026-10-27&group_by=api_key&timezone=Europe/Berlin`,
    );
    expect(body.data.map(({ api_key_id: id, totals }) => [id, totals.end_users])).toEqual([
      [live.id, 3],
      [test.id, 1],
    ]);
  });

  it('leaves out keys that were used on other days only', async () => {
    const search = 'from=2026-10-27&to=2026-10-28&timezone=Europe/Berlin&group_by=api_key';
    const { body } = await alice.get(`/kbs/${kbId}/analytics?${search}`);
    expect(body).toEqual({ data: [] });
    const earlier = 'from=2026-10-24T00:00:00Z&to=2026-10-24T21:00:00Z&group_by=api_key';
    expect((await alice.get(`/kbs/${kbId}/analytics?${earlier}`)).body).toEqual({ data: [] });
  });

  it('may be a quarter of an hour off the others', async () => {
    // Kathmandu's days begin at 18:15 UTC.
    const kathmandu = 'timezone=Asia/Kathmandu';
    const { series } = await report(alice, kbId, `from=2026-10-24&to=2026-10-27&${kathmandu}`);
    expect(chats(series)).toEqual([
      ['2026-10-24', 0],
      ['2026-10-25', 4],
      ['2026-10-26', 2],
    ]);
    const hours = await report(
      alice,
      kbId,
      `from=2026-10-25&to=2026-10-26&interval=hour&${kathmandu}`,
    );
    expect(chats(hours.series).filter(([, count]) => count !== 0)).toEqual([
      ['2026-10-25T03:00:00.000+05:45', 2],
      ['2026-10-25T06:00:00.000+05:45', 1],
      ['2026-10-25T07:00:00.000+05:45', 1],
    ]);
  });

  it('may move its clock by half an hour', async () => {
    // Lord Howe Island goes back at 15:00 UTC on 4 April, and forward at 15:30 UTC on 3 October.
    const lordHowe = 'timezone=Australia/Lord_Howe&interval=hour';
    const names = async (day: string, next: string) =>
      (await report(alice, kbId, `from=${day}&to=${next}&${lordHowe}`)).series.map(
        ({ date }) => date,
      );
    const autumn = await names('2026-04-05', '2026-04-06');
    expect(autumn.slice(1, 4)).toEqual([
      '2026-04-05T01:00:00.000+11:00',
      '2026-04-05T01:30:00.000+10:30',
      '2026-04-05T02:00:00.000+10:30',
    ]);
    const spring = await names('2026-10-04', '2026-10-05');
    expect(spring.slice(1, 4)).toEqual([
      '2026-10-04T01:00:00.000+10:30',
      '2026-10-04T02:30:00.000+11:00',
      '2026-10-04T03:00:00.000+11:00',
    ]);
    expect([autumn.length, spring.length]).toEqual([25, 24]);
  });

  it.each([
    ['timezone', 'timezone=Mars/Olympus'],
    ['timezone', 'timezone='],
    ['timezone', 'timezone=%2B01:00'],
    ['from', 'from=2026-11-02&to=2026-11-01'],
    ['from', 'from=2999-01-01'],
    ['from', 'from=soon'],
    ['to', 'to=2026-13-01'],
    ['interval', 'interval=minute'],
    ['interval', 'interval=hour&from=2025-01-01&to=2026-01-01'],
    ['interval', 'from=1970-01-01&to=2026-01-01'],
    ['interval', 'group_by=api_key&from=1000-01-01&to=9999-01-01'],
    ['environment', 'environment=staging'],
    ['group_by', 'group_by=user'],
    ['colour', 'colour=red'],
  ])('is refused with a bad %s: ?%s', async (field, search) => {
    const answer = await alice.get(`/kbs/${kbId}/analytics?${search}`);
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.body).toMatchObject({ errors: [{ field }] });
  });
});
