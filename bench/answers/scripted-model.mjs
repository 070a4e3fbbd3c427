// A language model that answers at once in one of three ways, by the passages of the prompt.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** @typedef {'cites' | 'refuses' | 'invents'} Behaviour */
/** @typedef {{ content: string }[]} Messages */

/** @type {Record<Behaviour, (prompt: string) => string>} */
const ANSWERS = {
  cites: (prompt) => {
    const [, line = '{}'] = /^Passages:\n(.*)$/m.exec(prompt) ?? [];
    return `${JSON.parse(line).text ?? ''} [1]`;
  },
  refuses: (prompt) => /^No answer: (.*)$/m.exec(prompt)?.[1] ?? '',
  invents: () => 'Professor Quibble settled it in 1847 for 9,613 guilders. [1]',
};

/**
 * @param {Behaviour} behaviour
 * @returns {Promise<NodeJS.ProcessEnv>} what a service needs to ask it
 */
export async function startScriptedModel(behaviour) {
  const server = createServer(async (request, response) => {
    const { messages } = /** @type {{ messages: Messages }} */ (await json(request));
    const content = ANSWERS[behaviour](messages.at(-1)?.content ?? '');
    const chunk = (/** @type {object} */ choice) =>
      `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, ...choice }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      chunk({ delta: { content }, finish_reason: null }) +
        chunk({ delta: {}, finish_reason: 'stop' }) +
        'data: [DONE]\n\n',
    );
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(undefined);
    });
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  // It ends with the benchmark.
  server.unref();
  return { LLM_BASE_URL: `http://127.0.0.1:${port}/v1`, LLM_MODEL: behaviour };
}
