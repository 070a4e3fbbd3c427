import OpenAI from 'openai';
import { boundedFetch } from './bounded-fetch.js';

/** A server that speaks OpenAI's API. */
interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

interface Limits {
  /** The maximum size of one response. */
  readonly maxBytes: number;
  readonly timeout?: number;
}

/** Creates a client without retries. Without a timeout, the caller must limit the time. */
export const openAiClient = ({ baseUrl, apiKey }: Endpoint, { maxBytes, timeout }: Limits) =>
  new OpenAI({
    baseURL: baseUrl,
    // The client requires a key; a server that needs none ignores it.
    apiKey: apiKey ?? 'none',
    // By default the client would read these from the environment.
    organization: null,
    project: null,
    // The client's log quotes the provider, which may quote prompts and keys.
    logLevel: 'off',
    maxRetries: 0,
    fetch: boundedFetch(maxBytes),
    // Redirects are failures: following one would send prompts and passages to an arbitrary address.
    fetchOptions: { redirect: 'manual' },
    ...(timeout !== undefined && { timeout }),
  });
