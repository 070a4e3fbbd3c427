// Builds the documentation site from docs/, and the pages that it leads to, into dist/guide, which the
// service serves at /docs/guide. Any other server may: its links are relative.
import { existsSync, rmSync } from 'node:fs';

// The service does without the guide, so it is built and started all the same.
if (!existsSync('node_modules/@11ty/eleventy') || !existsSync('docs')) {
  console.warn('The guide is not built: Eleventy is not installed.');
  process.exit();
}
const { Eleventy } = await import('@11ty/eleventy');
const clear = () => {
  rmSync('dist/guide', { recursive: true, force: true });
};
clear();
const site = new Eleventy('docs', 'dist/guide', {
  configPath: 'scripts/guide/eleventy.mjs',
  quietMode: true,
});
try {
  await site.write();
} catch (error) {
  // A part of it would pass for the whole.
  clear();
  throw error;
}
