import 'reflect-metadata';
import { isMainThread } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/**
 * Loaded into a service with `--import`: knowledge bases have an index of their own from
 * OWN_INDEX_PASSAGES passages on, which is looked at all the time; never where it is not given.
 */
const passages = process.env['OWN_INDEX_PASSAGES'];
if (isMainThread) {
  const file = resolve('dist/src/documents/search/opensearch/own-indexes.js');
  const { OwnIndexes } = await import(pathToFileURL(file).href);
  OwnIndexes.intervalMs = 200;
  if (passages === undefined) OwnIndexes.prototype.run = async () => undefined;
  else OwnIndexes.passages = Number(passages);
}
