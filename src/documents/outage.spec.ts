import { describe, expect, it } from '@jest/globals';
import { WorkerDiedError, WorkerUnavailableError } from '../platform/jobs/worker-errors.js';
import { ContentMissingError, ContentStoreError } from './contents/content-store.js';
import { isOutage } from './outage.js';

describe(isOutage.name, () => {
  it.each([
    ['a content store that fails', new ContentStoreError('It answered 503'), true],
    ['a content that is lost', new ContentMissingError('There is none'), false],
    ['a full disk', Object.assign(new Error('full'), { code: 'ENOSPC' }), true],
    ['a worker that cannot be started', new WorkerUnavailableError('extraction', 500), true],
    ['a worker that died, maybe of the document', new WorkerDiedError('It has ended'), false],
    ['a document that cannot be read', new Error('Unexpected end'), false],
  ])('of %s', (_, error, expected) => {
    expect(isOutage(error)).toBe(expected);
  });
});
