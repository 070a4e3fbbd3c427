import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { beginNewChain } from './begin-new-chain.js';

it('leaves a database alone that was backed up before there was an audit stream', () => {
  const database = new Database(':memory:');
  beginNewChain(database);
  expect(database.prepare('SELECT * FROM sqlite_schema').all()).toEqual([]);
  database.close();
});
