// Builds what is stale, then starts the service, or the given entry point with the arguments behind
// it, in this same process, so that signals reach it.
import { buildWhatIsStale } from './build-stale.mjs';

// SQLite's driver crashes the process on an older one, without a word.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 14)) {
  console.error(
    `Latchkey needs Node.js 22.14 or later; this is ${process.versions.node}. Run it by npm after ` +
      '`npm ci` without --omit=optional, which brings Node.js 24, or install a newer Node.js.',
  );
  process.exit(1);
}

const [entry = 'dist/service/main.js'] = process.argv.splice(2, 1);
buildWhatIsStale();
await import(new URL(`../${entry}`, import.meta.url).href);
