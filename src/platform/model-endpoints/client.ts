import OpenAI from 'openai';
import { boundedFetch } from './bounded-fetch.js';

/** A server that speaks OpenAI's API. */
interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

interface Limits {
  /** Of one answer. */
  readonly maxBytes: number;
  readonly timeout?: number;
}

/** A client without retries. Without a timeout the caller limits the time. */
export const openAiClient = ({ baseUrl, apiKey }: Endpoint, { maxBytes, timeout }: Limits) =>
  new OpenAI({
    baseURL: baseUrl,
    // The client requires a key; a server that needs none ignores it.
    apiKey: apiKey ?? 'none',
    // Not from the environment, where the client reads them by default.
    organization: null,
    project: null,
    // The client's log quotes the provider, which may quote prompts and keys.
    logLevel: 'off',
    maxRetries: 0,
    fetch: boundedFetch(maxBytes),
    // Following a redirect would send prompts and passages to any address, so it is a failure.
    fetchOptions: { redirect: 'manual' },
    ...(timeout !== undefined && { timeout }),
  });
