import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { clientIp } from '../../platform/config/ip-address.js';
import type { DashboardRequest } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { AnsweredRequest } from '../../platform/http/answered-request.js';
import { Config } from '../../platform/config/config.js';
import { AuditNotes } from './audit-notes.js';
import { readingToOcsf } from './ocsf.js';
import { SignIns } from './sign-ins.js';

/** A request with the principals that guards attach. */
type IdentifiedRequest = AnsweredRequest & DashboardRequest & { apiKey?: { id: string } };

/** Routes that return conversations of others, with the parameter that identifies them. */
const READING: Readonly<Record<string, readonly [parameter: string, type: string]>> = {
  '/api/v1/conversations/:conversation_id': ['conversation_id', 'conversation'],
  '/api/v1/conversations/:conversation_id/messages': ['conversation_id', 'conversation'],
  '/api/v1/kbs/:kb_id/conversations': ['kb_id', 'knowledge_base'],
  '/api/v1/kbs/:kb_id/gaps': ['kb_id', 'knowledge_base'],
  '/api/v1/kbs/:kb_id/analytics/unanswered': ['kb_id', 'knowledge_base'],
};

/** Records refusals, sign-ins and reads of conversations, after the response. */
@Injectable()
export class AnswerNotes implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly notes: AuditNotes,
    private readonly signIns: SignIns,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    if (this.config.AUDIT_SCOPE.length === 0) return;
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onResponse', (request: IdentifiedRequest, reply, done) => {
      this.note(request, reply.statusCode);
      done();
    });
  }

  private note(request: IdentifiedRequest, status: number): void {
    this.signIns.note(request);
    const route = request.routeOptions.url ?? 'none';
    const reported = () => ({
      id: request.id,
      method: request.method,
      route,
      status,
      ip: clientIp(request),
      actor: request.dashboardUser?.id ?? request.apiKey?.id ?? request.provedActor,
      code: request.problemCode,
    });
    if (status === 401 || status === 403) this.notes.addRefusal(reported());
    const [parameter, type = ''] = READING[route] ?? [];
    if (parameter === undefined || request.method !== 'GET' || status !== 200) return;
    const uid = (request.params as Record<string, string>)[parameter] ?? '';
    this.notes.add('conversation_reads', (when) => readingToOcsf(when, reported(), { uid, type }));
  }
}
