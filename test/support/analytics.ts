import type { Client } from './client.js';
import { eventually } from './service.js';

export interface Figures {
  queries: number;
  chats: number;
  conversations: number;
  end_users: number;
  answered: number;
  unanswered: number;
  small_talk: number;
  up: number;
  down: number;
  satisfaction_rate: number | null;
  prompt_tokens: number;
  completion_tokens: number;
  refused: number;
  latency_p50_ms: number | null;
  latency_p95_ms: number | null;
}
export type Series = (Figures & { date: string })[];
export interface Report {
  totals: Figures;
  series: Series;
}

/** @throws Error when there is no report */
export async function report(client: Client, kbId: string, search = ''): Promise<Report> {
  const { status, body, text } = await client.get<Report>(`/kbs/${kbId}/analytics?${search}`);
  if (status !== 200) throw new Error(text);
  return body;
}

/** Queries are recorded after they are answered. */
export const queriesAreRecorded = (client: Client, kbId: string, count: number) =>
  eventually(async () => (await report(client, kbId)).totals.queries === count);

/** A knowledge base with a document and a key of each environment. */
export async function createReportedKnowledgeBase(client: Client) {
  const { id: kbId } = await client.createKnowledgeBase();
  const live = await client.createApiKey(kbId);
  const test = await client.createApiKey(kbId, { environment: 'test' });
  const text = 'Customers may return any order within 30 days.';
  await client.addDocument(kbId, { title: 'Returns', text });
  return { kbId, live, test };
}
