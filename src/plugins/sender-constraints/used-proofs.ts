import { Injectable } from '@nestjs/common';
import { insertRows } from '../../platform/database/insert-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { UsedProof } from './used-proof.entity.js';

/** Proofs are too old after ten minutes; the rest is for clocks that differ. */
const KEPT_MS = 60 * 60 * 1000;

/** Records in the database, for all processes, which proofs were used. */
@Injectable()
export class UsedProofs {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @returns false if the proof was used before */
  record(id: string): Promise<boolean> {
    const expiresAt = new Date(Date.now() + KEPT_MS);
    return this.unitOfWork.run(async (manager) => {
      const rows = [{ id, expiresAt }];
      const conflict = 'ON CONFLICT DO NOTHING RETURNING id';
      return (await insertRows(manager, UsedProof, rows, conflict)).length === 1;
    });
  }
}
