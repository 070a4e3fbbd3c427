import OpenAI from 'openai';

/** A server that speaks OpenAI's API. */
interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

/** A client without retries. The caller limits the time. */
export const openAiClient = ({ baseUrl, apiKey }: Endpoint, timeout?: number) =>
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
    // Following a redirect would send prompts and passages to any address, so it is a failure.
    fetchOptions: { redirect: 'manual' },
    ...(timeout !== undefined && { timeout }),
  });
