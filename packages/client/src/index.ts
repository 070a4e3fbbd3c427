export type {
  ChatAnswer,
  ChatEvent,
  ChatRequest,
  DashboardAnswer,
  DashboardChatRequest,
  ClientToken,
  ClientTokenRequest,
  Document,
  Feedback,
  Filter,
  IngestRequest,
  KeyView,
  RotatedKey,
  Problem,
  QueryAnswer,
  QueryRequest,
  Source,
  Step,
} from './types.js';
export { LatchkeyDashboard, type DashboardOptions } from './dashboard.js';
export { LatchkeyError, type ErrorCode } from './error.js';
export { Latchkey, type LatchkeyOptions } from './latchkey.js';
export { type ProvingKeyPair, thumbprint } from './prover.js';
export type { CallOptions } from './transport.js';
// Not committed: `node scripts/openapi-types.mjs` and every build write it from openapi.json.
export type { components, operations, paths } from './openapi.js';
