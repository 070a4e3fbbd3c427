import type { ClientBase } from 'pg';

/**
 * Makes a connection whose server does not answer a statement emit `error`, as one that is lost: then
 * its user takes it out of the pool.
 *
 * A statement that the driver has timed out still occupies its connection. If the server's machine has
 * vanished, the operating system ends the connection only after a quarter of an hour; until then
 * whoever gets it from the pool would wait in vain, also after a fail-over.
 *
 * @param client whose `query` is replaced; calls with a callback are left alone, since `pool.query`
 * removes a connection after any error
 */
export function loseUnansweredConnection(client: ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const loseIfTimedOut = (error: unknown): never => {
    const hasTimedOut = error instanceof Error && error.message === 'Query read timeout';
    // Without a listener an `error` would be thrown.
    if (hasTimedOut && client.listenerCount('error') > 0) client.emit('error', error);
    throw error;
  };
  Object.assign(client, {
    query: (...args: unknown[]): unknown => {
      const result = query(...args);
      return result instanceof Promise ? result.catch(loseIfTimedOut) : result;
    },
  });
}
