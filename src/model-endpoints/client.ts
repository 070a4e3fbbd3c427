import OpenAI from 'openai';

/** A server that speaks OpenAI's API. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

/** A client that tries once; how long it waits is the caller's to say. */
export const openAiClient = ({ baseUrl, apiKey }: Endpoint, timeout?: number) =>
  new OpenAI({
    baseURL: baseUrl,
    // The client insists on one; a server that needs none ignores it.
    apiKey: apiKey ?? 'none',
    // Otherwise read from the environment.
    organization: null,
    project: null,
    // It logs what the provider says.
    logLevel: 'off',
    maxRetries: 0,
    // A redirect is a failure: followed, it would take prompts and passages to any address.
    fetchOptions: { redirect: 'manual' },
    ...(timeout !== undefined && { timeout }),
  });
