import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CREDENTIALS, ImapServer } from '../../test/imap-server.js';
import { describeKind, listed, SourceOpener } from '../../test/kind-suite.js';
import { type SourceContext, SourceError } from '../source-kind.js';
import { parseServerAddress } from './imap-server.js';
import { imap } from './imap.js';
import type { ImapConfig } from './open-mailbox.js';

describeKind(async () => {
  const server = await ImapServer.start();
  return {
    kind: imap,
    config: server.config,
    credentials: CREDENTIALS,
    wrongConfig: { ...server.config, folders: ['Missing'] },
    takesRules: true,
    put: (name, content) => {
      server.add(name, 1, `Subject: ${name}\r\nMessage-ID: <${name}@example.com>`, content);
    },
    remove: (name) => void server.folders.delete(name),
    breakListing: () => {
      server.intercept = (command, socket) => {
        if (!command.startsWith('EXAMINE "three') && !command.startsWith('EXAMINE three')) {
          return false;
        }
        socket.destroy();
        return true;
      };
    },
    stop: () => server.stop(),
  };
});

describe('imap', () => {
  const opener = new SourceOpener();
  let server: ImapServer;

  beforeEach(async () => {
    server = await ImapServer.start();
  });

  afterEach(async () => {
    await opener.close();
    await server.stop();
  });

  const open = (config: Partial<ImapConfig> = {}, more: Partial<SourceContext> = {}) =>
    opener.open(
      { kind: imap, config: { ...server.config, ...config }, credentials: CREDENTIALS },
      more,
    );
  const list = async (config?: Partial<ImapConfig>) => listed(await open(config));
  const keys = async (config?: Partial<ImapConfig>) => [...(await list(config)).keys()].sort();

  /** Makes a folder as one that was made anew. */
  const renew = (name: string) => {
    const folder = server.folders.get(name);
    if (folder) folder.uidValidity++;
  };

  it('lists messages with titles, dates and links', async () => {
    const subject = 'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=';
    server.add('INBOX', 4, `${subject}\r\nMessage-ID: <a/b@example.com>`);
    const [entry] = (await list()).values();
    expect(entry).toMatchObject({
      key: 'INBOX/7-4',
      title: 'Grüße',
      url: 'mid:a%2Fb%40example.com',
      modifiedAt: new Date('2025-03-05T08:00:00Z'),
      mimeType: 'message/rfc822',
    });
  });

  it('loads a message as it was sent, and marks none as read', async () => {
    server.add('INBOX', 4, 'Subject: Rates', 'A night is 90 euros.');
    const source = await open();
    const [entry] = (await listed(source)).values();
    if (!entry) throw new Error('nothing is listed');
    const { body } = await source.load(entry);
    expect(await text(body)).toBe('Subject: Rates\r\n\r\nA night is 90 euros.');
    expect(server.commands.some((command) => command.startsWith('SELECT'))).toBe(false);
    expect(server.commands.find((command) => command.includes('BODY'))).toContain('BODY.PEEK');
  });

  it('has only INBOX unless told otherwise, in any case', async () => {
    server.add('Inbox', 1, 'Subject: 1');
    server.add('Other', 1, 'Subject: 2');
    const config = { url: server.config.url };
    const source = await opener.open({ kind: imap, config, credentials: CREDENTIALS });
    expect([...(await listed(source)).keys()]).toEqual(['INBOX/7-1']);
  });

  it('chooses folders by name and pattern, with names of any alphabet and delimiter', async () => {
    server.delimiter = '.';
    server.add('Projekte.&ANw-bersicht', 1, 'Subject: 1');
    server.add('Projekte.&ZeVnLIqe-', 1, 'Subject: 2');
    server.add('Other', 1, 'Subject: 3');
    const projects = ['Projekte/Übersicht/7-1', 'Projekte/日本語/7-1'];
    expect(await keys({ folders: ['Projekte/*'] })).toEqual(projects);
    expect(await keys({ folders: ['Projekte/U\u0308bersicht'] })).toEqual(projects.slice(0, 1));
    await expect(keys({ folders: ['Projekte/*', 'Away'] })).rejects.toMatchObject({
      ...{ code: 'not_found', message: expect.stringContaining('Away') },
    });
  });

  it('leaves drafts, trash, junk and what has every message again out of a pattern', async () => {
    server.add('INBOX', 1, 'Subject: 1');
    for (const flag of ['Drafts', 'Trash', 'Junk', 'All']) {
      server.add(flag, 1, 'Subject: 2');
      const folder = server.folders.get(flag);
      if (folder) folder.flags = `\\${flag}`;
    }
    expect(await keys()).toEqual(['INBOX/7-1']);
    expect(await keys({ folders: ['Drafts'] })).toEqual(['Drafts/7-1']);
  });

  it('knows a message in another folder, and under another number', async () => {
    const headers = 'Subject: Rates\r\nMessage-ID: <1@example.com>';
    server.add('INBOX', 4, headers);
    const [before] = (await list()).values();
    server.folders.clear();
    server.add('Archive', 1, headers);
    renew('Archive');
    const [after] = (await list()).values();
    expect(after).toMatchObject({
      ...{ key: 'Archive/8-1', version: before?.version, versionIsOfContent: true },
    });
    server.folders.clear();
    server.add('Archive', 1, headers, 'Text.', '05-Mar-2025 08:00:01 +0000');
    const [other] = (await list()).values();
    expect(other?.version).not.toBe(before?.version);
  });

  it('does not take another message for one of a folder that was made anew', async () => {
    server.add('INBOX', 4, 'Subject: Rates');
    server.add('Other', 1, 'Subject: Other');
    const source = await open();
    const entry = (await listed(source)).get('INBOX/7-4');
    server.folders.delete('INBOX');
    server.add('INBOX', 4, 'Subject: Secret');
    renew('INBOX');
    if (!entry) throw new Error('nothing is listed');
    await expect(source.load(entry)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('asks for messages since a day', async () => {
    server.add('INBOX', 4, 'Subject: Rates');
    await keys({ since: '2025-01-31' });
    expect(server.commands.find((command) => command.startsWith('SEARCH'))).toMatch(
      /SINCE "?31-Jan-2025/,
    );
  });

  it('leaves out a message that was deleted while it was listed, and no other', async () => {
    server.add('INBOX', 4, 'Subject: 4');
    server.add('INBOX', 5, 'Subject: 5');
    let isLost = true;
    server.intercept = (command, socket, tag) => {
      if (!command.startsWith('FETCH')) return false;
      if (isLost) server.folders.get('INBOX')?.messages.pop();
      socket.write('* 1 FETCH (UID 4 RFC822.SIZE 9)\r\n* 2 FETCH (UID 99 RFC822.SIZE 9)\r\n', () =>
        socket.write(`${tag} OK done\r\n`),
      );
      return true;
    };
    expect(await keys()).toEqual(['INBOX/7-4']);
    server.add('INBOX', 5, 'Subject: 5');
    isLost = false;
    await expect(keys()).rejects.toMatchObject({ code: 'incomplete_listing' });
  });

  it('connects again when the server has ended the connection', async () => {
    server.add('INBOX', 4, 'Subject: Rates');
    const source = await open();
    const [entry] = (await listed(source)).values();
    let isFirst = true;
    server.intercept = (command, socket) => {
      if (!command.startsWith('FETCH') || !isFirst) return false;
      isFirst = false;
      socket.destroy();
      return true;
    };
    if (!entry) throw new Error('nothing is listed');
    await expect(source.load(entry)).rejects.toMatchObject({ code: 'unreachable' });
    expect(await text((await source.load(entry)).body)).toContain('Rates');
  });

  it('says what is wrong without a secret', async () => {
    const credentials = { username: 'ada', password: 'wrong-secret' };
    const source = await opener.open({ kind: imap, config: server.config, credentials });
    const failure: unknown = await listed(source).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unauthorized' });
    expect(String(failure)).not.toContain('wrong-secret');
  });

  it('sends no password without TLS, but to the same machine', async () => {
    // Led to this machine, as a route may lead a public address.
    const resolve = () => Promise.resolve('127.0.0.1');
    server.add('INBOX', 4, 'Subject: Rates');
    await expect(listed(await open({}, { resolve }))).resolves.toHaveProperty('size', 1);
    const source = await open({}, { resolve: () => Promise.resolve('::ffff:127.0.0.1') });
    await expect(listed(source)).rejects.toMatchObject({
      ...{ code: 'unreachable', message: expect.stringContaining('TLS') },
    });
    expect(server.commands.filter((command) => command.startsWith('LOGIN'))).toHaveLength(1);
  });

  it('connects to the address that was checked alone', async () => {
    const refused = new SourceError('not_allowed', 'The address is not public.');
    const source = await open({}, { resolve: () => Promise.reject(refused) });
    await expect(listed(source)).rejects.toBe(refused);
    expect(server.commands).toEqual([]);
  });

  const endless = (part: string) => (socket: Socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(part));
      socket.once('drain', write);
    };
    write();
  };

  it.each<[string, string, (socket: Socket, tag: string) => void]>([
    [
      'a literal of 2 GB',
      'FETCH',
      (socket) => socket.write('* 1 FETCH (UID 4 BODY[]<0> {2000000000}\r\n'),
    ],
    ['a line without an end', 'FETCH', endless('x'.repeat(65_536))],
    ['a list without an end', 'LIST', endless('* LIST () "/" ('.padEnd(65_536, 'a '))],
    [
      'nesting without an end',
      'FETCH',
      (socket) => socket.write(`* 1 FETCH ${'('.repeat(100_000)}\r\n`),
    ],
    [
      'a literal of a negative size',
      'FETCH',
      (socket) => socket.write('* 1 FETCH (BODY[] {-5}\r\n', () => socket.end()),
    ],
    ['half an answer', 'FETCH', (socket) => socket.end('* 1 FETCH (UID 4 ENV')],
    ['other than the protocol', 'LIST', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
    ['no list', 'LIST', (socket, tag) => socket.write(`${tag} OK done\r\n`)],
    ['a refusal', 'SEARCH', (socket, tag) => socket.write(`${tag} NO later\r\n`)],
  ])('ends the listing of a server that sends %s', async (_name, command, send) => {
    server.add('INBOX', 4, 'Subject: Rates');
    server.intercept = (given, socket, tag) => {
      if (!given.startsWith(command)) return false;
      send(socket, tag);
      return true;
    };
    await expect(keys()).rejects.toBeInstanceOf(SourceError);
  });

  it('reads a subject in an encoding that does not exist', async () => {
    server.add('INBOX', 4, 'Subject: =?no-such-charset?B?/////w==?= \u0000');
    expect(await keys()).toEqual(['INBOX/7-4']);
  });

  it.each([
    ['imaps://mail.example.com', { host: 'mail.example.com', port: 993, isSecure: true }],
    ['imap://MAIL.example.com:1143/', { host: 'mail.example.com', port: 1143, isSecure: false }],
    ['imaps://[::1]:443', { host: '::1', port: 443, isSecure: true }],
    ['imaps://0x7f000001', { host: '127.0.0.1', port: 993, isSecure: true }],
    ['imaps://user@mail.example.com', undefined],
    ['imaps://mail.example.com/INBOX', undefined],
    ['imaps://mail.example.com:99999', undefined],
    ['https://mail.example.com', undefined],
  ])('reads the address %s', (address, expected) => {
    expect(parseServerAddress(address)).toEqual(expected);
  });

  it.each([
    [{ username: 'ada' }],
    [{ password: 'x' }],
    [{ username: 'ada', password: 'x', token: 'y' }],
    [{ username: 'ada\r\nA LOGOUT', password: 'x' }],
  ])('refuses the credentials %j', (credentials) => {
    expect(() => imap.parse(server.config, credentials)).toThrow();
  });

  it.each(['2025', '2025-02-30', 'yesterday'])('refuses messages since %j', (since) => {
    expect(() => imap.parse({ ...server.config, since }, CREDENTIALS)).toThrow();
  });
});
