// Writes the types of openapi.json for those who call the service: the command line, and the package
// that the console uses too.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
const comment = '/** Written by `npm run openapi:types` from openapi.json. */\n\n';
for (const file of ['src/cli/latchkey.d.ts', 'packages/client/src/schema.ts']) {
  writeFileSync(file, comment + types);
}
