import { chooseSentences as choose } from '@latchkey/quoting/choose-sentences';
import { readPassages } from '@latchkey/quoting/read-passages';
import type { QuotablePassage, ReadingRequest } from '@latchkey/quoting/reading';
import { type Cancellable, isCancelled } from '../platform/jobs/cancellation.js';
import { serializeErrors } from '../platform/jobs/worker-answer.js';

export default serializeErrors(({ cancelled, ...request }: Cancellable<ReadingRequest>) =>
  readPassages(request, () => isCancelled(cancelled)),
);

export const chooseSentences = serializeErrors((passages: readonly QuotablePassage[]) =>
  choose(passages),
);
