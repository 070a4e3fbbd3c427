// Writes docs/errors.md, the table of the problems, from the built service.
//   --check  changes nothing; fails when it is not up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { buildProblemTable } from '../dist/src/platform/problems/remediation.js';

const FILE = 'docs/errors.md';

const text = `# Problem codes

What a refusal looks like stands in [answers and errors](api.md#errors), and in \`/openapi.json\` which codes each operation may answer. A code never changes its meaning.

| Status | Code | What it means, and what to do |
| --- | --- | --- |
${buildProblemTable()}

A method that a path does not have answers 405 on every path, so no operation lists it.
`;
const content = await format(text, { ...(await resolveConfig(FILE)), parser: 'markdown' });
if (!process.argv.includes('--check')) writeFileSync(FILE, content);
else if (readFileSync(FILE, 'utf8') !== content) {
  console.error(`Not up to date: ${FILE}. Run: npm run openapi`);
  process.exit(1);
}
