import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';

describe('the pages of a site', () => {
  let alice: Client;
  let url: string;
  let id: string;

  beforeAll(async () => {
    const furnished = await furnish();
    ({ alice } = furnished);
    ({ url } = furnished.service);
    const body = { name: 'Help & more', origins: ['https://shop.example.com'] };
    const created = await alice.post<{ id: string }>(`/kbs/${furnished.kbId}/sites`, body);
    ({ id } = created.body);
  });

  const framedBy = async (path: string) => {
    const { headers } = await fetch(url + path);
    expect(headers.get('x-frame-options')).toBeNull();
    const policy = headers.get('content-security-policy') ?? '';
    return /frame-ancestors ([^;]*)/.exec(policy)?.[1];
  };

  it('let the console frame the sample page, and the pages of the site the chat alone', async () => {
    expect(await framedBy(`/s/${id}/preview`)).toBe(`'self'`);
    expect(await framedBy(`/s/${id}`)).toBe(`'self' https://shop.example.com`);
    const console = await fetch(`${url}/console`);
    expect(console.headers.get('content-security-policy')).toContain(`frame-src 'self' blob:`);
  });

  it('are gone with the site', async () => {
    await alice.call('DELETE', `/sites/${id}`);
    for (const path of [`/s/${id}`, `/s/${id}/preview`]) {
      expect((await fetch(url + path)).status).toBe(404);
    }
  });
});
