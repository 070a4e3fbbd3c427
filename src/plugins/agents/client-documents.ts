import { Injectable } from '@nestjs/common';
import { parseJson } from '@latchkey/text/parse-json';
import type { AdapterPayload } from 'oidc-provider';
import { Config } from '../../platform/config/config.js';
import { isLoopback } from '../../platform/config/validators.js';
import { fetchDocument } from '../../platform/http/fetch-document.js';

/**
 * Fetches the documents that clients publish about themselves (client ID metadata documents). Addresses on
 * loopback are taken outside production only, by a service that is on loopback itself, for the development of
 * clients.
 */
@Injectable()
export class ClientDocuments {
  private readonly takesLoopback: boolean;

  constructor({ NODE_ENV }: Config) {
    this.takesLoopback = NODE_ENV !== 'production';
  }

  /**
   * @param base the service's address
   * @throws Error for anything else than a whole answer
   */
  fetch(base: string, address: string): Promise<Response> {
    return fetchDocument(address, this.mayTake(base, address));
  }

  /**
   * Reads the document of a client on loopback without TLS. Those with https are left to the authorization
   * server.
   */
  async findOnLoopback(base: string, id: string): Promise<AdapterPayload | undefined> {
    if (!id.startsWith('http://') || !this.mayTake(base, id)) return undefined;
    try {
      const document = parseJson(await (await this.fetch(base, id)).text());
      const isObject = typeof document === 'object' && document !== null;
      const client = isObject ? (document as AdapterPayload) : undefined;
      return client?.['client_id'] === id ? client : undefined;
    } catch {
      return undefined;
    }
  }

  private mayTake(base: string, address: string): boolean {
    return this.takesLoopback && isOnLoopback(base) && isOnLoopback(address);
  }
}

function isOnLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname.replace(/^\[|\]$/g, '');
  return host !== undefined && isLoopback(host);
}
