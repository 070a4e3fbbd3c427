import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientBase } from 'pg';
import { isDatabaseUnavailable } from './database-error.js';
import { UnconfirmedCommitError, watchConnection } from './watch-connection.js';

/** A connection that answers as the test says. */
class Connection extends EventEmitter {
  answer: () => Promise<unknown> = () => Promise.resolve({ rows: [] });

  query(_text: string, callback?: () => void): Promise<unknown> | undefined {
    if (!callback) return this.answer();
    callback();
    return undefined;
  }
}

describe(watchConnection.name, () => {
  let connection: Connection;
  let lost: unknown[];

  beforeEach(() => {
    connection = new Connection();
    lost = [];
    connection.on('error', (error) => lost.push(error));
    watchConnection(connection as unknown as ClientBase);
  });

  it('loses a connection whose statement was not answered', async () => {
    const timeout = new Error('Query read timeout');
    connection.answer = () => Promise.reject(timeout);
    await expect(connection.query('SELECT 1')).rejects.toBe(timeout);
    expect(lost).toEqual([timeout]);
  });

  it('keeps a connection whose statement was refused', async () => {
    const refusal = new Error('syntax error');
    connection.answer = () => Promise.reject(refusal);
    await expect(connection.query('SELECT')).rejects.toBe(refusal);
    expect(lost).toEqual([]);
  });

  it('rejects a commit that the standby has not confirmed, and nothing after it', async () => {
    connection.answer = () => {
      connection.emit('notice', { routine: 'SyncRepWaitForLSN' });
      return Promise.resolve({ rows: [] });
    };
    const rejection = await connection.query('COMMIT')?.catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(UnconfirmedCommitError);
    expect(isDatabaseUnavailable(rejection)).toBe(true);
    connection.answer = () => Promise.resolve('next');
    await expect(connection.query('SELECT 1')).resolves.toBe('next');
  });

  it('leaves other notices and callbacks alone', async () => {
    connection.emit('notice', { routine: 'BeginTransactionBlock' });
    await expect(connection.query('BEGIN')).resolves.toEqual({ rows: [] });
    let called = false;
    expect(connection.query('SELECT 1', () => (called = true))).toBeUndefined();
    expect(called).toBe(true);
  });
});
