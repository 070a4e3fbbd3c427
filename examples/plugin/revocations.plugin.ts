import { Get, Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Access } from '../../src/knowledge-bases/access.js';
import { DashboardController } from '../../src/knowledge-bases/dashboard-auth/dashboard-controller.js';
import type { Event } from '../../src/knowledge-bases/events/event.js';
import { type EventReader, ReadsEvents } from '../../src/knowledge-bases/events/events.js';
import { KnowledgeBasesModule } from '../../src/knowledge-bases/knowledge-bases.module.js';
import { IdParam } from '../../src/platform/http/type-id.js';
import type { Plugin } from '../../src/platform/plugins/plugin.js';

/**
 * Counts revocations in the memory of this process. A plugin that must not lose them, or that runs in
 * several processes, writes to a table of its own with `manager`, in the transaction of the revocation.
 */
@Injectable()
@ReadsEvents()
export class RevocationCounter implements EventReader {
  private readonly counts = new Map<string, number>();

  readEvent(_manager: EntityManager, { action, kbId }: Event): Promise<void> {
    if (action === 'api_key.revoked') this.counts.set(kbId, this.count(kbId) + 1);
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
