import type { FastifyInstance } from 'fastify';
import { clientIp } from '../../../platform/config/ip-address.js';
import type { AnsweredRequest } from '../../../platform/http/problem.filter.js';
import type { AuditNotes } from './audit-notes.js';
import { readingToOcsf } from './ocsf.js';

/** A request with the principals that guards attach. */
type IdentifiedRequest = AnsweredRequest & {
  dashboardUser?: { id: string };
  apiKey?: { id: string };
};

/** Routes that return conversations of others, with the parameter that identifies them. */
const READING: Readonly<Record<string, readonly [parameter: string, type: string]>> = {
  '/api/v1/conversations/:conversation_id': ['conversation_id', 'conversation'],
  '/api/v1/conversations/:conversation_id/messages': ['conversation_id', 'conversation'],
  '/api/v1/kbs/:kb_id/conversations': ['kb_id', 'knowledge_base'],
  '/api/v1/kbs/:kb_id/gaps': ['kb_id', 'knowledge_base'],
  '/api/v1/kbs/:kb_id/analytics/unanswered': ['kb_id', 'knowledge_base'],
};

/** Records refusals, and reads of conversations, after the response. */
export function noteAnswers(fastify: FastifyInstance, notes: AuditNotes): void {
  fastify.addHook('onResponse', (request: IdentifiedRequest, reply, done) => {
    const { statusCode: status } = reply;
    const route = request.routeOptions.url ?? 'none';
    const told = () => ({
      id: request.id,
      method: request.method,
      route,
      status,
      ip: clientIp(request),
      actor: request.dashboardUser?.id ?? request.apiKey?.id ?? request.provedActor,
      code: request.problemCode,
    });
    if (status === 401 || status === 403) notes.addRefusal(told());
    const [parameter, type = ''] = READING[route] ?? [];
    if (parameter !== undefined && request.method === 'GET' && status === 200) {
      const uid = (request.params as Record<string, string>)[parameter] ?? '';
      notes.add('conversation_reads', (when) => readingToOcsf(when, told(), { uid, type }));
    }
    done();
  });
}
