import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientBase } from 'pg';
import { loseUnansweredConnection } from './lose-unanswered-connection.js';

/** A connection that answers as the test says. */
class Connection extends EventEmitter {
  answer: () => Promise<unknown> = () => Promise.resolve('rows');

  query(_text: string, callback?: () => void): Promise<unknown> | undefined {
    if (!callback) return this.answer();
    callback();
    return undefined;
  }
}

describe(loseUnansweredConnection.name, () => {
  const timeout = new Error('Query read timeout');
  let connection: Connection;

  beforeEach(() => {
    connection = new Connection();
    loseUnansweredConnection(connection as unknown as ClientBase);
  });

  const refuseWith = async (error: Error) => {
    connection.answer = () => Promise.reject(error);
    await expect(connection.query('SELECT 1')).rejects.toBe(error);
  };

  it('loses a connection whose statement was not answered, and no other', async () => {
    const lost: unknown[] = [];
    connection.on('error', (error) => lost.push(error));
    await refuseWith(new Error('syntax error'));
    expect(lost).toEqual([]);
    await refuseWith(timeout);
    expect(lost).toEqual([timeout]);
  });

  it('throws nothing where nobody listens', () => refuseWith(timeout));

  it('passes on what is answered, and calls with a callback', async () => {
    await expect(connection.query('SELECT 1')).resolves.toBe('rows');
    let called = false;
    expect(connection.query('SELECT 1', () => (called = true))).toBeUndefined();
    expect(called).toBe(true);
  });
});
