// Bundles the widget of sites into dist/widget, which the service serves.
import { existsSync } from 'node:fs';

// The service does without the widget, so it is built and started all the same.
if (!existsSync(`node_modules/@esbuild/${process.platform}-${process.arch}`)) {
  console.warn('The widget is not built: esbuild has no binary here.');
  process.exit();
}
const { build } = await import('esbuild');
await build({
  entryPoints: { widget: 'packages/widget/src/script.ts', page: 'packages/widget/src/page.ts' },
  outdir: 'dist/widget',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  logLevel: 'error',
});
