import { Get, Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Access } from '../../src/knowledge-bases/access.js';
import { DashboardController } from '../../src/knowledge-bases/dashboard-auth/dashboard-controller.js';
import { type EventReader, ReadsEvents } from '../../src/knowledge-bases/events/event-reader.js';
import type { RecordedEvent } from '../../src/knowledge-bases/events/recorded-event.entity.js';
import { KnowledgeBasesModule } from '../../src/knowledge-bases/knowledge-bases.module.js';
import { IdParam } from '../../src/platform/http/type-id.js';
import type { Plugin } from '../../src/platform/plugins/plugin.js';

/**
 * Counts revocations in the memory of the process that reads them. A plugin that must not lose them, or that
 * runs in several processes, writes to a table of its own with `manager`: the position of the reader is
 * stored in the same transaction.
 */
@Injectable()
@ReadsEvents({ name: 'revocations', of: ['api_key.revoked'] })
export class RevocationCounter implements EventReader {
  private readonly counts = new Map<string, number>();

  read(_manager: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    for (const { kbId } of events) this.counts.set(kbId, this.count(kbId) + 1);
    return Promise.resolve();
  }

  count(kbId: string): number {
    return this.counts.get(kbId) ?? 0;
  }
}

@DashboardController('API keys')
export class RevocationsController {
  constructor(private readonly counter: RevocationCounter) {}

  /** Count the revoked API keys of a knowledge base */
  @Get('kbs/:kb_id/revocations')
  @Access('kb', 'viewer', 'keys:read')
  countRevocations(@IdParam('kb') kbId: string): { revocations: number } {
    return { revocations: this.counter.count(kbId) };
  }
}

@Module({
  imports: [KnowledgeBasesModule],
  controllers: [RevocationsController],
  providers: [RevocationCounter],
})
export class RevocationsModule {}

/** Counts revoked API keys; see docs/plugins.md. */
export const plugin: Plugin = { module: RevocationsModule };
