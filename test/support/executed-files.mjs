import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/**
 * Loaded into a service with `--import`: on SIGCONT, for which Nest does not end it, it writes which of its files have run functions
 * since the last time, such as `executed ["api-keys/api-keys.service.js"]`.
 */
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The bundle names each file above what it has of it. */
const FILE = /^\/\/ (?:dist\/src\/(\S+)|node_modules\/\S+)$/gm;

process.on('SIGCONT', () => {
  void session.post('Profiler.takePreciseCoverage').then(({ result }) => {
    const files = result
      .filter(({ url }) => url.includes('/dist/service/'))
      .flatMap(({ url, functions }) => {
        const starts = functions
          .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
          .flatMap(({ ranges }) => ranges[0]?.startOffset ?? []);
        return starts.length === 0 ? [] : filesAt(readFileSync(fileURLToPath(url), 'utf8'), starts);
      });
    console.log(`executed ${JSON.stringify([...new Set(files)])}`);
  });
});

/**
 * @param {string} text of a part of the bundle
 * @param {number[]} offsets into it
 * @returns {string[]}
 */
function filesAt(text, offsets) {
  const files = [...text.matchAll(FILE)];
  return offsets.flatMap((offset) => files.findLast(({ index }) => index < offset)?.[1] ?? []);
}
