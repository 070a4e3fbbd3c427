import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The page of the portal: a bundle of its own, since its readers are no users of the dashboard. */
export default defineConfig({
  root: fromHere('.'),
  base: '/portal/',
  // The path of PUBLIC_URL may stand before it.
  experimental: { renderBuiltUrl: (file) => `portal/${file}` },
  publicDir: false,
  resolve: { alias: { '@latchkey/client': fromHere('../../packages/client/src/index.ts') } },
  build: { outDir: fromHere('../../dist/portal'), emptyOutDir: true, assetsInlineLimit: 0 },
});
