import { isCancelled } from '../jobs/cancellation.js';
import { type Reading, type ReadingRequest, readPassages } from './read-passages.js';

export interface ThreadRequest extends ReadingRequest {
  /** Shared memory: not 0 once the client has disconnected. */
  readonly cancelled: Int32Array;
}

export default ({ cancelled, ...request }: ThreadRequest): Reading =>
  readPassages(request, () => isCancelled(cancelled));
