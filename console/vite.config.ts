import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { settingsOf } from '../scripts/setting-schemas.mjs';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The fields of the settings' form: what they are is said once, where their defaults are. */
const titled = settingsOf('SettingsDto');
const fields = Object.entries(settingsOf('UpdateSettingsDto')).map(([name, schema]) => {
  const { description, title, default: usual, 'x-group': group } = titled[name] ?? {};
  return [name, { ...schema, description, title, default: usual, 'x-group': group }];
});

export default defineConfig({
  root: fromHere('.'),
  base: '/console/',
  define: {
    VERSION: JSON.stringify(version),
    SETTINGS_SCHEMA: JSON.stringify(Object.fromEntries(fields)),
    ANSWER_SETTINGS: JSON.stringify(Object.keys(settingsOf('AnswerSettingsDto'))),
  },
  resolve: { alias: { '@latchkey/client': fromHere('../packages/client/src/index.ts') } },
  build: { outDir: fromHere('../dist/console'), emptyOutDir: true, assetsInlineLimit: 0 },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/health': 'http://127.0.0.1:3000' } },
});
