import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { RequireMigrations1795400000000 } from './1795400000000-require-migrations.js';
import { migrations } from './index.js';

const folder = 'src/platform/database/migrations';
/** Changes of the schema on which versions that do not expect them cannot run. */
const CONTRACTS =
  /\bdrop(?:Table|Column|Columns)\b|\brename(?:Table|Column)\b|\bchangeColumns?\b|\bDROP (?:TABLE|COLUMN)\b|\bRENAME\b|\bSET NOT NULL\b|\bADD CONSTRAINT\b/;

const timestampOf = (name: string) => Number(/\d{13}/.exec(name)?.[0]);

const recent = readdirSync(folder)
  .filter((file) => timestampOf(file) > timestampOf(RequireMigrations1795400000000.name))
  .map((file) => {
    const source = readFileSync(`${folder}/${file}`, 'utf8');
    return { file, up: source.slice(source.indexOf('async up('), source.indexOf('async down(')) };
  });

describe('the migrations', () => {
  it('are in the order of their timestamps', () => {
    const timestamps = migrations.map(({ name }) => timestampOf(name));
    expect(timestamps).toEqual(timestamps.toSorted((a, b) => a - b));
  });

  it('expand the schema only, unless they say which versions cannot run on it', () => {
    const unsaid = recent.filter(
      ({ up }) => CONTRACTS.test(up) && !up.includes('requireMigration('),
    );
    expect(unsaid.map(({ file }) => file)).toEqual([]);
  });
});
