import { isCancelled } from '../platform/jobs/cancellation.js';
import { serializeErrors } from '../platform/jobs/worker-answer.js';
import { type ReadingRequest, readPassages } from '@latchkey/quoting/read-passages';

export interface ThreadRequest extends ReadingRequest {
  /** Shared memory that is not 0 once the client has disconnected. */
  readonly cancelled: Int32Array;
}

export default serializeErrors(({ cancelled, ...request }: ThreadRequest) =>
  readPassages(request, () => isCancelled(cancelled)),
);
