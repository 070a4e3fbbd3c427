import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { parseJson } from '@latchkey/text/parse-json';
import { insertRows } from '../../platform/database/insert-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { AuditBatch, AuditChainHead, AuditOutboxEvent, CHAIN } from './audit-stream.entity.js';
import { waitingEvents } from './audit-outbox.js';
import type { OcsfEvent } from './ocsf.js';
import { AUDIT_LOG_KEY, sealLine } from './seal-line.js';

/** The number of lines in a batch: some hundred kilobytes. */
export const MAX_LINES = 500;

/** Turns the events for AUDIT_LOG into the lines of a single chain. */
@Injectable()
export class AuditChain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly peppers: Peppers,
    @InjectRepository(AuditOutboxEvent) private readonly events: Repository<AuditOutboxEvent>,
    @InjectRepository(AuditBatch) private readonly batches: Repository<AuditBatch>,
  ) {}

  /** Whether there is nothing to seal or to write. */
  async isEmpty(): Promise<boolean> {
    return !(await this.batches.exists()) && !(await this.events.exists());
  }

  /** The approximate number of events to seal. */
  waiting(): Promise<number> {
    return waitingEvents(this.events.manager);
  }

  /** The oldest batch that is not written yet. */
  next(): Promise<AuditBatch | null> {
    return this.batches.findOne({ where: {}, order: { number: 'ASC' } });
  }

  async remove({ number }: AuditBatch): Promise<void> {
    await this.unitOfWork.run((manager) => manager.delete(AuditBatch, { number }));
  }

  /**
   * Seals the oldest events as lines. The lines are stored, so that a line that is written again after a
   * crash has the same bytes.
   *
   * @throws Error when another process has sealed meanwhile: then nothing is changed
   */
  seal(): Promise<void> {
    return this.unitOfWork.run(async (manager) => {
      // The head is read before the events: if another process seals these in the meantime, the head has
      // changed.
      const head = await this.head(manager);
      const events = await manager.find(AuditOutboxEvent, {
        order: { number: 'ASC' },
        take: MAX_LINES,
      });
      if (events.length === 0) return;
      const [key] = this.peppers.derive(AUDIT_LOG_KEY);
      let { sequence, hash } = head;
      const lines = events.map(({ event }) => {
        sequence += 1;
        const place = { chainId: head.chainId, sequence, previousHash: hash };
        const sealed = sealLine(parseJson(event) as OcsfEvent, place, key);
        ({ hash } = sealed);
        return `${sealed.line}\n`;
      });
      const { affected } = await manager.update(AuditChainHead, head, { sequence, hash });
      if (affected !== 1) throw new Error('Another process has sealed audit events meanwhile');
      const { chainId } = head;
      const batch = { chainId, sequence: head.sequence + 1, lastSequence: sequence };
      await insertRows(manager, AuditBatch, [{ ...batch, lines: lines.join('') }]);
      await manager.delete(AuditOutboxEvent, { number: In(events.map(({ number }) => number)) });
    });
  }

  private async head(manager: EntityManager): Promise<AuditChainHead> {
    const first = { id: CHAIN, chainId: randomUUID(), sequence: 0, hash: '' } as const;
    await insertRows(manager, AuditChainHead, [first], 'ON CONFLICT DO NOTHING');
    return manager.findOneByOrFail(AuditChainHead, { id: CHAIN });
  }
}
