// Builds the web console into dist/console and the portal into dist/portal, which the service serves.
import { existsSync, readdirSync } from 'node:fs';

// The service does without the console, so it is built and started all the same.
const bindings = 'node_modules/@rolldown';
if (!existsSync(bindings) || !readdirSync(bindings).some((name) => name.startsWith('binding-'))) {
  console.warn('The console is not built: Vite has no binary here.');
  process.exit();
}
const { build } = await import('vite');
await build({ configFile: 'console/vite.config.ts', logLevel: 'warn' });
await build({ configFile: 'console/portal/vite.config.ts', logLevel: 'warn' });
