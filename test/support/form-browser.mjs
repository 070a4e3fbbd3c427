import { setTimeout } from 'node:timers/promises';
import { URLSearchParams } from 'node:url';

const MAX_STEPS = 20;
/** A client may begin to listen only after it has opened the browser. */
const WAIT_MS = 10_000;

/** @typedef {(page: string) => Record<string, string> | undefined} FillIn */

/** Fills in the page on which an agent is connected. @type {(apiKey: string) => FillIn} */
export const withApiKey = (apiKey) => (page) =>
  page.includes('name="api_key"') ? { api_key: apiKey, decision: 'connect' } : undefined;

/** A browser without scripts: it follows redirects, keeps cookies and sends the first form of a page. */
export class FormBrowser {
  /** @type {Map<string, string>} */
  #cookies = new Map();

  /** @param {FillIn} fillIn what is entered on a page; undefined for one that ends the walk */
  constructor(fillIn) {
    this.fillIn = fillIn;
  }

  /**
   * @param {URL} address
   * @param {string} [end] the beginning of an address that is not opened: nobody listens there
   * @returns {Promise<URL>} the address at which the walk ended
   */
  async walk(address, end) {
    let response = await this.#send(address);
    for (let step = 0; step < MAX_STEPS; step++) {
      const location = response.headers.get('location');
      if (location !== null) {
        const next = new URL(location, response.url);
        if (end !== undefined && next.href.startsWith(end)) return next;
        response = await this.#send(next);
        continue;
      }
      const page = await response.text();
      const fields = this.fillIn(page);
      if (!fields) return new URL(response.url);
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
      response = await this.#send(new URL(action, response.url), new URLSearchParams(fields));
    }
    throw new Error(`The walk from ${address.href} did not end`);
  }

  /** @param {URL} address @param {URLSearchParams} [form] */
  async #send(address, form) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetchPatiently(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

/** @param {URL} address @param {RequestInit} init */
async function fetchPatiently(address, init) {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return await fetch(address, init);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await setTimeout(20);
    }
  }
}
