// Writes docs/settings.md, the table of the settings, from openapi.json.
//   --check  changes nothing; fails when it is not up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { resolved, settingsOf } from './setting-schemas.mjs';

const FILE = 'docs/settings.md';

const defaults = settingsOf('SettingsDto');
const rows = Object.entries(settingsOf('UpdateSettingsDto')).map(([name, schema]) => {
  const { minimum, maximum, maxItems } = schema;
  const { default: value = null, description } = defaults[name];
  // A text for all languages, or an object of such texts by language; or an object of one schema.
  const texts = schema.anyOf && resolved(schema.anyOf[0]).oneOf;
  const { type, maxLength, minLength } = texts?.[0] ?? schema;
  const [shortest, longest] = [minLength ?? 0, maxLength];
  const bounds = [
    minimum !== undefined && `${minimum}–${maximum}`,
    longest !== undefined && `${shortest}–${longest} characters`,
    maxItems !== undefined && `at most ${maxItems}`,
  ].filter(Boolean);
  const kind = [texts ? `${type} or object` : (type?.[0] ?? 'object'), ...bounds].join(', ');
  const initial = `\`${JSON.stringify(value)}\``;
  return `| \`${name}\` | ${kind} | ${initial} | ${description.replaceAll('\n', ' ')} |`;
});

const text = `# Settings of a knowledge base

\`GET\` and \`PATCH /api/v1/kbs/{kb_id}/settings\`. What is set holds from the next request on; \`null\` brings back the default.

| Setting | Type | Default | What it does |
| --- | --- | --- | --- |
${rows.join('\n')}

## To add one

A setting is a field of \`SettingsDto\` (\`src/knowledge-bases/settings/settings.dto.ts\`): its name for clients, its type, its default, its validators and its comment, and by \`InForm\` its label and heading in the console. From it follow the stored form (the JSON column \`knowledge_base_settings.settings\`; no migration), \`Settings\` in the code (\`top_k\` is \`topK\` there), the bodies of both operations, the form of the console and, by \`npm run openapi\`, \`openapi.json\`, this table and the types of the clients. So a new setting touches:

1. \`settings.dto.ts\`;
2. \`settings.ts\`, only if it decides about an answer, so that the playground and evaluations may override it;
3. the code that uses it, from \`apiKey.settings\` in a request by API key, else from \`SettingsService.of\`;
4. \`test/knowledge-bases/settings.e2e.ts\`, and a test of what it does;
5. \`openapi.json\` and this file, both generated.
`;
const content = await format(text, { ...(await resolveConfig(FILE)), parser: 'markdown' });
if (!process.argv.includes('--check')) writeFileSync(FILE, content);
else if (readFileSync(FILE, 'utf8') !== content) {
  console.error(`Not up to date: ${FILE}. Run: npm run openapi`);
  process.exit(1);
}
