import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Config } from '../../platform/config/config.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { matchesHolder, OriginalLinks } from './original-links.js';

const newPepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const USER = { id: 'alice', groups: [] };
const READERS = { originals: 'readers' } as const;

function linksWith(peppers: string, PUBLIC_URL?: string) {
  const config = Config.fromEnvironment({ API_KEY_PEPPERS: peppers, PUBLIC_URL });
  return new OriginalLinks(Peppers.load(config), config);
}
const linkOf = (links: OriginalLinks, now?: number) =>
  String(links.for(USER, READERS, now)('doc_1').original_url).split('link=')[1];
const refused = expect.objectContaining({ code: 'invalid_link' });

describe(OriginalLinks.name, () => {
  const first = newPepper('first');

  it('are paths unless the service knows its own address', () => {
    const path = /^\/api\/v1\/documents\/doc_1\/original\?link=[\w-]+\.[\w-]{43}$/;
    expect(linksWith(first).for(USER, READERS)('doc_1').original_url).toMatch(path);
    const { original_url: url } = linksWith(first, 'https://kb.example/').for(
      USER,
      READERS,
    )('doc_1');
    expect(url).toMatch(/^https:\/\/kb\.example\/api\/v1\/documents\/doc_1\/original\?link=/);
  });

  it('speak for who asked until their end', () => {
    const links = linksWith(first);
    const end = Date.now() + 600_000;
    expect(links.verify(linkOf(links, end - 600_000), 'doc_1')).toEqual({ user: 'alice', end });
    expect(() => links.verify(linkOf(links, Date.now() - 600_000), 'doc_1')).toThrow(refused);
  });

  it('tell which entries of rules are those of a client token', () => {
    const links = linksWith(first);
    const principals = Array.from({ length: 300 }, (_, n) => `group:${'team'.repeat(60)} ${n}`);
    const reader = { id: 'key_1', scopes: [], endUserId: 'anna', clientToken: undefined };
    const url = String(links.for({ ...reader, principals }, READERS)('doc_1').original_url);
    const isTheirs = matchesHolder(links.verify(url.split('link=')[1], 'doc_1'), ['group:team']);
    expect(['everyone', principals[299] ?? '', 'group:team'].map(isTheirs)).toEqual([
      ...[true, true, false],
    ]);
  });

  it('tell the end users of a key apart, and not who they are', () => {
    const links = linksWith(first);
    const linkFor = (endUserId: string) => {
      const reader = { id: 'key_1', scopes: [], endUserId, clientToken: undefined, principals: [] };
      const url = String(links.for(reader, READERS)('doc_1').original_url);
      return String(url.split('link=')[1]);
    };
    const claimsOf = (endUserId: string) => links.verify(linkFor(endUserId), 'doc_1');
    expect(claimsOf('carol')).toEqual(expect.objectContaining({ key: 'key_1' }));
    expect(claimsOf('carol').endUser).toBe(claimsOf('carol').endUser);
    expect(claimsOf('carol').endUser).not.toBe(claimsOf('dave').endUser);
    const payload = Buffer.from(linkFor('carol').split('.')[0] ?? '', 'base64url').toString();
    expect(payload).toContain('key_1');
    expect(payload).not.toContain('carol');
  });

  it('carry the groups of a user, or are not there where these are too long for an address', () => {
    const links = linksWith(first);
    const urlFor = (groups: string[]) =>
      links.for({ ...USER, groups }, READERS)('doc_1').original_url;
    const groups = ['group:Vertrieb, Süd', 'group:法務'];
    expect(links.verify(urlFor(groups)?.split('link=')[1], 'doc_1')).toMatchObject({ groups });
    expect(urlFor(Array.from({ length: 500 }, (_, index) => `group:${index}`.padEnd(100)))).toBe(
      undefined,
    );
  });

  it('go on under a previous pepper, and end with it', () => {
    const link = linkOf(linksWith(first));
    const second = newPepper('second');
    expect(linksWith(`${second},${first}`).verify(link, 'doc_1')).toMatchObject({ user: 'alice' });
    expect(() => linksWith(second).verify(link, 'doc_1')).toThrow(refused);
  });

  it.each([undefined, '', '.', 'a.b', 'a.b.c', ['a.b']])('%j is none', (link) => {
    expect(() => linksWith(first).verify(link, 'doc_1')).toThrow(refused);
  });
});
