import type { ClientBase } from 'pg';

/** PostgreSQL's function that tells a client that its commit is no longer waiting for the standby. */
const COMMIT_WAIT = 'SyncRepWaitForLSN';

/** Has the code of a cancelled statement, which is what ended the commit's wait for the standby. */
export class UnconfirmedCommitError extends Error {
  override name = 'UnconfirmedCommitError';
  readonly code = '57014';

  constructor() {
    super('The commit was not confirmed by the synchronous standby');
  }
}

/**
 * Gives up a connection whose server does not answer, and rejects commits that PostgreSQL reports as
 * successful although the synchronous standby has not confirmed them.
 *
 * A statement that the driver has timed out still occupies its connection. If the server's machine is
 * gone, that ends after a quarter of an hour; until then whoever got the connection from the pool would
 * wait in vain, also after a fail-over. So the connection emits an `error`, as one that is lost, and
 * its user takes it out of the pool.
 *
 * @param client whose `query` is replaced; calls with a callback are left alone, since `pool.query`
 * removes a connection after any error
 */
export function watchConnection(client: ClientBase): void {
  let isUnconfirmed = false;
  client.on('notice', ({ routine }) => {
    if (routine === COMMIT_WAIT) isUnconfirmed = true;
  });
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]): unknown => {
    isUnconfirmed = false;
    const result = query(...args);
    return result instanceof Promise ? result.then(requireConfirmed, giveUpIfTimedOut) : result;
  };
  Object.assign(client, { query: watched });

  function requireConfirmed(result: unknown): unknown {
    if (isUnconfirmed) throw new UnconfirmedCommitError();
    return result;
  }

  function giveUpIfTimedOut(error: unknown): never {
    const hasTimedOut = error instanceof Error && error.message === 'Query read timeout';
    // Without a listener an `error` would be thrown.
    if (hasTimedOut && client.listenerCount('error') > 0) client.emit('error', error);
    throw error;
  }
}
