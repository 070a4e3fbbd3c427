/** An answer, its body read. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body; the test says what it expects there. */
  readonly body: T;
  readonly text: string;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: { field: string; message: string }[];
  existing_document_id?: string;
}

export interface KnowledgeBase {
  id: string;
  name: string;
  description: string | null;
  role: string;
  document_count: number;
  chunk_count: number;
  passages: number;
  vectors: number;
}

export interface ApiKey {
  id: string;
  kb_id: string;
  name: string;
  description: string | null;
  environment: string;
  prefix: string;
  active: boolean;
  state: string;
  last_used_at: string | null;
  created_at: string;
  created_by: string;
  expires_at: string | null;
  revoked_at: string | null;
  revoked_by: string | null;
  rate_limit_per_minute: number | null;
  allowed_ips: string[] | null;
  scopes: string[];
  filter: object | null;
  kbs: { kb_id: string; scopes: string[]; filter: object | null }[];
  rotated_from: string | null;
  rotated_to: string | null;
  policy_violations: string[];
}

export type IssuedApiKey = ApiKey & { api_key: string };

export interface ApiKeyUsage {
  requests_24h: number;
  requests_30d: number;
  last_used_at: string | null;
  last_ip: string | null;
  distinct_ips_24h: number;
  refused_uses_since_revoked: number;
  last_refused_at: string | null;
  last_refused_ip: string | null;
  successor_id: string | null;
  safe_to_revoke: boolean;
}

export interface AuditEvent {
  id: string;
  kb_id: string;
  actor: string;
  action: string;
  target_id: string;
  created_at: string;
  request_id: string;
  details: Record<string, unknown>;
}

export interface Webhook {
  id: string;
  kb_id: string;
  url: string;
  events: string[];
  description: string | null;
  state: string;
  deactivation_reason: string | null;
  deactivated_at: string | null;
  previous_secret_until: string | null;
  created_at: string;
  created_by: string;
  updated_at: string;
}

export type IssuedWebhook = Webhook & { secret: string };

export interface WebhookDelivery {
  id: string;
  webhook_id: string;
  event: string;
  state: string;
  attempts: number;
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  response_status: number | null;
  error: string | null;
  created_at: string;
}

export interface Document {
  readonly created_at: string;
  readonly external_id: string | null;
  id: string;
  title: string;
  status: string;
  chunk_count: number;
  passages: number;
  vectors: number;
  attempts: number;
  error: { code: string; message: string } | null;
  warnings: { code: string; message: string; pages?: number[] }[];
}

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
  has_more: boolean;
  total: number;
}

export interface QueryAnswer {
  partial?: boolean;
  latency_ms: number;
  query_id: string;
  results: {
    kb_id: string;
    chunk_id: string;
    document_id: string;
    document_title: string;
    external_id: string | null;
    text: string;
    score: number;
  }[];
}

export interface AnswerSource {
  index: number;
  kb_id: string;
  chunk_id: string;
  document_id: string;
  document_title: string;
  snippet: string;
  quote?: { text: string; start: number; end: number };
  cited?: boolean;
}

export interface ChatAnswer {
  partial?: boolean;
  conversation_id: string;
  message_id: string;
  answer: string;
  answered: boolean;
  answer_value?: string;
  finish_reason: string;
  model: string;
  usage: { prompt_tokens: number; completion_tokens: number } | null;
  latency_ms: number;
  kind?: string;
  grounded?: boolean;
  confidence?: number;
  sources: AnswerSource[];
  related?: AnswerSource[];
}

export interface Message {
  id: string;
  role: string;
  content: string;
  status: string;
  answered: boolean | null;
  kind?: string;
  grounded?: boolean;
  confidence?: number;
  sources: AnswerSource[];
  related?: AnswerSource[];
  usage: ChatAnswer['usage'];
}

export interface ClientToken {
  client_token: string;
  expires_at: string;
  end_user_id: string;
  scopes: string[];
}
