import 'reflect-metadata';
import { registerHooks } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/** So long nobody moves before a round. */
const PAUSE_MS = 1500;
/** Longer than nearly all questions and writes take here. */
const REQUESTS_MS = 3000;

/** Loaded into a service with `--import`: which knowledge bases are large is looked at all the time. */
if (isMainThread) {
  // What it changes is in dist/src, so that is started instead of the bundle.
  registerHooks({
    resolve: (name, context, next) =>
      next(
        name
          .replace('/dist/service/main.js', '/dist/src/main.js')
          .replace('/dist/service/move-search', '/dist/src/plugins/opensearch/move-search'),
        context,
      ),
  });
  /** @param {string} file */
  const load = (file) => import(pathToFileURL(resolve('dist/src', file)).href);
  const { OwnIndexes } = await load('plugins/opensearch/own-indexes.js');
  const { declaredJobs } = await load('platform/jobs/job.js');
  /** @param {number} ms @param {AbortSignal} signal */
  const rest = (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined);
  const { moveLarge } = OwnIndexes.prototype;
  for (const job of declaredJobs.get(OwnIndexes)) job.every = 1000;
  /** @param {import('../../src/platform/jobs/job.js').JobRound} round */
  OwnIndexes.prototype.moveLarge = async function (round) {
    // Before it takes the lease, which a command may be waiting for.
    await rest(PAUSE_MS, round.signal);
    await Reflect.apply(moveLarge, this, [round]);
  };
  /** @param {AbortSignal} signal */
  OwnIndexes.prototype.waitForRequests = (signal) => rest(REQUESTS_MS, signal);
}
