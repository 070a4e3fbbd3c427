// Writes the types of openapi.json for the TypeScript client, which the command line and the console
// use too.
//   --check  changes nothing; fails when they are not up to date
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';

const FILES = ['packages/client/src/schema.ts'];

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
const content = `/** Written by \`npm run openapi:types\` from openapi.json. */\n\n${types}`;
const stale = FILES.filter((file) => !existsSync(file) || readFileSync(file, 'utf8') !== content);
if (!process.argv.includes('--check')) {
  for (const file of stale) writeFileSync(file, content);
} else if (stale.length > 0) {
  console.error(`Not up to date: ${stale.join(', ')}. Run: npm run openapi:types`);
  process.exit(1);
}
