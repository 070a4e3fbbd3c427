import { Session } from 'node:inspector/promises';

/**
 * Loaded into a service with `--import`: on SIGCONT, for which Nest does not end it, it writes which of its files have run functions
 * since the last time, such as `executed ["api-keys/api-keys.service.js"]`.
 */
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const FILE = /\/dist\/src\/(.+)$/;

process.on('SIGCONT', () => {
  void session.post('Profiler.takePreciseCoverage').then(({ result }) => {
    const files = result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count)))
      .flatMap(({ url }) => FILE.exec(url)?.[1] ?? []);
    console.log(`executed ${JSON.stringify(files)}`);
  });
});
