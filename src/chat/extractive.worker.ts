import { readPassages } from '@latchkey/quoting/read-passages';
import type { ReadingRequest } from '@latchkey/quoting/reading';
import { type Cancellable, isCancelled } from '../platform/jobs/cancellation.js';
import { serializeErrors } from '../platform/jobs/worker-answer.js';

export default serializeErrors(({ cancelled, ...request }: Cancellable<ReadingRequest>) =>
  readPassages(request, () => isCancelled(cancelled)),
);
