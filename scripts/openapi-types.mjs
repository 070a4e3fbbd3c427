// Writes the types of openapi.json for the TypeScript client, which the command line and the console
// use too. They are not committed: the build, the checks and the packing of the client write them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';

// npm runs it in the folder of the client.
process.chdir(join(import.meta.dirname, '..'));

const FILE = 'packages/client/src/openapi.ts';
const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
const content = `/** Written by \`node scripts/openapi-types.mjs\` from openapi.json. */\n\n${types}`;
// A newer file would make the build stale.
if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== content) writeFileSync(FILE, content);
