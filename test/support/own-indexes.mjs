import 'reflect-metadata';
import { registerHooks } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/** So long nobody moves after a round, since a command may wait for its turn. */
const PAUSE_MS = 1500;
/** Longer than nearly all questions and writes take here. */
const REQUESTS_MS = 3000;

/** Loaded into a service with `--import`: which knowledge bases are large is looked at all the time. */
if (isMainThread) {
  // What it changes is in dist/src, so that is started instead of the bundle.
  registerHooks({
    resolve: (name, context, next) => next(name.replace('/dist/service/', '/dist/src/'), context),
  });
  const file = resolve('dist/src/documents/search/opensearch/own-indexes.js');
  const { OwnIndexes } = await import(pathToFileURL(file).href);
  /** @param {number} ms @param {AbortSignal} signal */
  const rest = (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined);
  const { run } = OwnIndexes.prototype;
  OwnIndexes.intervalMs = 1000;
  /** @this {{ signal: AbortSignal }} */
  OwnIndexes.prototype.run = async function () {
    await Reflect.apply(run, this, []);
    await rest(PAUSE_MS, this.signal);
  };
  /** @this {{ signal: AbortSignal }} */
  OwnIndexes.prototype.waitForRequests = function () {
    return rest(REQUESTS_MS, this.signal);
  };
}
