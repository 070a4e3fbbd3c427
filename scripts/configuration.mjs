// Writes docs/configuration.md from the declarations of the environment variables.
//   --check  changes nothing; fails when it is not up to date
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { getMetadataStorage } from 'class-validator';
import prettier from 'prettier';
import ts from 'typescript';
import { Environment } from '../dist/src/platform/config/environment.js';
import { SECRETS } from '../dist/src/platform/config/validators.js';

const SOURCE = 'src/platform/config/environment.ts';
const FILE = 'docs/configuration.md';

const text = readFileSync(SOURCE, 'utf8');
const source = ts.createSourceFile(SOURCE, text, ts.ScriptTarget.Latest, true);
const { members } = source.statements.find(ts.isClassDeclaration);
const defaults = new Environment();
const rules = getMetadataStorage().getTargetValidationMetadatas(Environment, '', false, false);

const sections = [];
for (const member of members) {
  const name = member.name.getText();
  const [, title] = /\/\/ Section: (.+)/.exec(member.getFullText()) ?? [];
  if (title) sections.push({ title, rows: [] });
  const comment = ts.getJSDocCommentsAndTags(member)[0]?.comment;
  if (!comment) throw new Error(`${name} has no comment`);
  sections.at(-1).rows.push(`| \`${name}\` | ${defaultOf(name)} | ${meaningOf(name, comment)} |`);
}

function defaultOf(name) {
  const value = defaults[name];
  return value === undefined || value.length === 0 ? '' : `\`${value}\``;
}

function meaningOf(name, comment) {
  const own = rules.filter(({ propertyName }) => propertyName === name);
  const constraint = (wanted) => own.find((rule) => rule.name === wanted)?.constraints[0];
  const [values, min, max] = ['isIn', 'min', 'max'].map(constraint);
  const other = own.map((rule) => /^is given with (.*)/.exec(rule.name)?.[1]).find(Boolean);
  return [
    comment.replace(/\s+/g, ' '),
    values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    min !== undefined && (max === undefined ? `At least ${min}.` : `From ${min} to ${max}.`),
    own.some(({ each }) => each) && 'Separated by commas.',
    other && `Required with \`${other}\`.`,
    SECRETS.has(name) && 'Secret.',
  ]
    .filter(Boolean)
    .join(' ');
}

const content = await prettier.format(
  `<!-- Written by \`npm run openapi\` from ${SOURCE}. -->

# Configuration

The service is configured by environment variables. If one has an invalid value, the service does not start, and names
it. An empty variable counts as not set. \`npm run doctor\`, run in the environment of the service, says what is wrong
with a deployment. Times have their unit in the name, sizes are in bytes.

${sections
  .map(
    ({ title, rows }) =>
      `## ${title}\n\n| Name | Default | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}`,
  )
  .join('\n\n')}

## OpenTelemetry

\`OTEL_EXPORTER_OTLP_ENDPOINT\`, such as \`http://127.0.0.1:4318\`, sends [traces](operations.md#traces) to a collector;
OpenTelemetry’s other variables apply too.
`,
  { parser: 'markdown', ...(await prettier.resolveConfig(FILE)) },
);
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, content);
} else if (readFileSync(FILE, 'utf8') !== content) {
  console.error(`Not up to date: ${FILE}. Run: npm run openapi`);
  process.exit(1);
}
