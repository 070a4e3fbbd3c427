import { Injectable } from '@nestjs/common';
import { insertRows } from '../platform/database/insert-rows.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { newId } from '../platform/http/type-id.js';
import { Passage } from './passage.entity.js';
import type { Lease } from '../knowledge-bases/job-queue.js';
import type { Document } from './document.entity.js';
import { IngestionQueue } from './ingestion-queue.js';
import type { ExtractionResult } from '@latchkey/extraction/extract';
import { storableJson } from './storable-json.js';

/** The maximum number of rows and characters per transaction, so that other writers need not wait long. */
const BATCH_ROWS = 100;
const BATCH_LENGTH = 100_000;

export interface ExtractedDocument extends ExtractionResult {
  readonly lease: Lease<Document>;
}

/** Stores passages; they become searchable when their version is published. */
@Injectable()
export class PassageStore {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: IngestionQueue,
  ) {}

  async store(extracted: readonly ExtractedDocument[]): Promise<void> {
    const leases = extracted.map(({ lease }) => lease);
    for (const batch of toBatches(extracted)) {
      await this.unitOfWork.run(async (manager) => {
        // A passage of a deleted document would violate the foreign key and fail the whole batch.
        const held = await this.queue.lockHeld(manager, leases);
        const rows = batch.filter(({ documentId }) => held.has(documentId));
        if (rows.length === 0) return;
        await insertRows(manager, Passage, rows);
      });
    }
  }
}

type PassageRow = Omit<Passage, 'number' | 'document'>;

/** Creates rows in batches: creating all rows of a large document at once would block the event loop. */
function* toBatches(extracted: readonly ExtractedDocument[]): Generator<PassageRow[]> {
  let batch: PassageRow[] = [];
  let length = 0;
  for (const { lease, passages } of extracted) {
    const { kbId, id: documentId, lastVersion: version } = lease.row;
    for (const [position, passage] of passages.entries()) {
      const locator = passage.locator && storableJson(passage.locator);
      batch.push({ ...passage, locator, id: newId('chunk'), kbId, documentId, version, position });
      length += passage.text.length;
      if (batch.length < BATCH_ROWS && length < BATCH_LENGTH) continue;
      yield batch;
      [batch, length] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}
