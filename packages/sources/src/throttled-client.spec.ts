import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SourceOpener } from '../test/kind-suite.js';
import { WebSite } from '../test/web-site.js';
import { ThrottledClient } from './throttled-client.js';

describe(ThrottledClient.name, () => {
  const opener = new SourceOpener();
  let site: WebSite;

  beforeEach(async () => {
    site = await WebSite.start();
    site.page('/', 'Home');
  });

  afterEach(() => site.stop());

  /** Throttles once. */
  const throttle = (headers: Record<string, string>) => {
    site.intercept = (_request, response) => {
      site.intercept = () => false;
      response.writeHead(429, headers).end();
      return true;
    };
  };
  const request = async () =>
    (await new ThrottledClient(await opener.context()).request(`${site.url}/`)).status;

  it.each([
    ['a day behind', -86_400_000],
    ['a day ahead', 86_400_000],
  ])('takes a date to wait for by the clock of the server, which is %s', async (_name, skew) => {
    const at = (ms: number) => new Date(Date.now() + skew + ms).toUTCString();
    throttle({ 'retry-after': at(0), date: at(0) });
    expect(await request()).toBe(200);
    throttle({ 'retry-after': at(7_200_000), date: at(0) });
    await expect(request()).rejects.toMatchObject({ code: 'throttled' });
  });
});
