import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The fields of the settings' form. */
const { components } = JSON.parse(readFileSync(fromHere('../openapi.json'), 'utf8')) as {
  components: {
    schemas: Record<'UpdateSettingsDto' | 'AnswerSettingsDto', { properties: object }>;
  };
};
const { UpdateSettingsDto, AnswerSettingsDto } = components.schemas;

export default defineConfig({
  root: fromHere('.'),
  base: '/console/',
  define: {
    SETTINGS_SCHEMA: JSON.stringify(UpdateSettingsDto.properties),
    ANSWER_SETTINGS: JSON.stringify(Object.keys(AnswerSettingsDto.properties)),
  },
  resolve: { alias: { '@latchkey/client': fromHere('../packages/client/src/index.ts') } },
  build: { outDir: fromHere('../dist/console'), emptyOutDir: true, assetsInlineLimit: 0 },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/health': 'http://127.0.0.1:3000' } },
});
