// A model that answers at once, or, told a number of deltas in its name, one delta every 100 ms.
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { json } from 'node:stream/consumers';

const INTERVAL_MS = 100;

const line = (/** @type {object} */ data) => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (/** @type {string} */ content) =>
  line({ id: 'c1', choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const ENDING =
  line({ id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  line({ id: 'c1', choices: [], usage: { prompt_tokens: 9, completion_tokens: 9 } }) +
  'data: [DONE]\n\n';

const server = createServer(async (request, response) => {
  const { model } = /** @type {{ model: string }} */ (await json(request));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let left = Number(/^slow-(\d+)$/.exec(model)?.[1] ?? 0);
  if (left === 0) {
    response.end(chunk('Within 30 days. [1]') + ENDING);
    return;
  }
  const timer = setInterval(() => {
    response.write(chunk(`@${performance.timeOrigin + performance.now()} `));
    if (--left > 0) return;
    clearInterval(timer);
    response.end(ENDING);
  }, INTERVAL_MS);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.once('disconnect', () => process.exit());
