import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { Dovecot, hasDovecot, USER } from '../support/dovecot.js';
import { optionalTool } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { Sources } from '../support/sources.js';

const NOTHING = { added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 };

const toMail = (id: string, subject: string, text: string) =>
  Buffer.from(
    [
      ...[`Message-ID: <${id}@example.com>`, `Subject: ${subject}`, 'From: Ben <ben@example.com>'],
      ...['Content-Type: text/plain; charset=utf-8', '', text, ''],
    ].join('\r\n'),
  );

optionalTool('dovecot', hasDovecot).describe('a mailbox of Dovecot', () => {
  let dovecot: Dovecot;
  let service: Service;
  let alice: Client;

  beforeAll(async () => {
    dovecot = await Dovecot.start();
    service = await Service.start({
      ...{ SOURCE_ALLOW_PRIVATE: 'yes', NODE_EXTRA_CA_CERTS: dovecot.certificate },
    });
    alice = new Client(service, 'alice');
  });

  afterAll(async () => {
    await service.stop();
    await dovecot.stop();
  });

  const test = async (config: object, credentials: object = USER) => {
    const { id } = await alice.createKnowledgeBase();
    return (await alice.post(`/kbs/${id}/sources/test`, { type: 'imap', config, credentials }))
      .body;
  };

  it('is reached by TLS from the beginning or later, and with the right password alone', async () => {
    expect(await test({ url: dovecot.url })).toEqual({ ok: true });
    expect(await test({ url: dovecot.plainUrl })).toEqual({ ok: true });
    const wrong = await test({ url: dovecot.url }, { ...USER, password: 'wrong' });
    expect(wrong).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    const other = await test({ url: dovecot.url.replace('localhost', '127.0.0.1') });
    expect(other).toMatchObject({
      ...{ ok: false, error: { message: expect.stringContaining('certificate') } },
    });
    const missing = await test({ url: dovecot.url, folders: ['Away'] });
    expect(missing).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('is kept in step: what is new, moved, deleted, and a folder that was made anew', async () => {
    const mailbox = await dovecot.connect();
    try {
      await mailbox.mailboxCreate('Projekte.Übersicht');
      const arrived = new Date('2025-03-05T08:00:00Z');
      await mailbox.append('INBOX', toMail('1', 'Leave', 'Leave is 30 days.'), [], arrived);
      await mailbox.append('INBOX', toMail('2', 'Rates', 'A night is 90 euros.'), [], arrived);
      const kitchen = toMail('3', '=?UTF-8?Q?K=C3=BCche?=', 'Tea is free.');
      const earlier = new Date('2023-03-05T08:00:00Z');
      await mailbox.append('Projekte.Übersicht', kitchen, ['\\Seen'], earlier);
      const sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
      const config = { url: dovecot.url, folders: ['*'] };
      const source = await sources.connect('imap', config, { credentials: USER });
      expect(await sources.run(source.id)).toMatchObject({
        ...{ status: 'complete', counts: { ...NOTHING, added: 3 } },
      });
      const before = await sources.documents();
      const idOf = (title: string) => before.find((one) => one.title === title)?.id;
      expect(before.map(({ title }) => title).sort()).toEqual(['Küche', 'Leave', 'Rates']);
      expect(before).toContainEqual(
        expect.objectContaining({ title: 'Leave', date: { value: '2025-03-05', from: 'source' } }),
      );
      // Flags say nothing about the content.
      await mailbox.mailboxOpen('INBOX');
      await mailbox.messageFlagsAdd('1:*', ['\\Seen', '\\Flagged']);
      expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, unchanged: 3 });
      await mailbox.messageMove('1', 'Projekte.Übersicht');
      await mailbox.messageMove('1', 'Trash');
      const counts = { ...NOTHING, changed: 1, deleted: 1, unchanged: 1 };
      expect(await sources.run(source.id)).toMatchObject({ status: 'complete', counts });
      expect((await sources.documents()).map(({ id }) => id).sort()).toEqual(
        [idOf('Leave'), idOf('Küche')].sort(),
      );
      // The numbers of a folder that has another name begin anew.
      await mailbox.mailboxClose();
      await mailbox.mailboxRename('Projekte.Übersicht', 'Archiv');
      expect((await sources.run(source.id)).counts).toMatchObject({ added: 0, deleted: 0 });
      expect((await sources.documents()).map(({ id }) => id).sort()).toEqual(
        [idOf('Leave'), idOf('Küche')].sort(),
      );
      await alice.call('PATCH', `/sources/${source.id}`, {
        config: { ...config, since: '2024-01-01' },
      });
      await sources.run(source.id, { confirm: true });
      expect(await sources.titles()).toEqual(['Leave']);
      const { api_key: key } = await alice.createApiKey(sources.kbId);
      await eventually(async () =>
        (await alice.query(key, 'How long is leave?')).text.includes('30 days'),
      );
    } finally {
      await mailbox.logout();
    }
  });
});
