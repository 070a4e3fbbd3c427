import { type ModelCall, type ModelServer, says } from './model-server.js';

/** Whether the model is asked what to search for, not for an answer. */
export const isPlan = ({ body }: ModelCall): boolean =>
  String(body.messages[0]?.content).startsWith('You decide what to search for');

/** What the model was told in its last message. */
export const told = ({ body }: ModelCall): string => String(body.messages.at(-1)?.content);

/**
 * Replies to each request for a plan with the next of these, and then that nothing is missing; answers
 * everything else with `answer`.
 */
export function plans(
  rounds: readonly (readonly string[] | string | ModelServer['behave'])[],
  answer = 'As the passages say. [1]',
): ModelServer['behave'] {
  const rest = rounds[Symbol.iterator]();
  return (response, call) => {
    if (!isPlan(call)) return says(answer)(response, call);
    const { value = [] } = rest.next() as { value?: (typeof rounds)[number] };
    if (typeof value === 'function') return value(response, call);
    const reply = typeof value === 'string' ? value : JSON.stringify({ searches: value });
    return says(reply)(response, call);
  };
}
