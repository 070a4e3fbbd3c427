import { type components, LatchkeyDashboard, LatchkeyError } from '@latchkey/client';
import type { Session } from './session-types.js';

type Schemas = components['schemas'];

export type KnowledgeBase = Schemas['KnowledgeBaseDto'];
export type Document = Schemas['DocumentDto'];
export type DocumentVersion = Schemas['DocumentVersionDto'];
export type PassageChange = Schemas['PassageChangeDto'];
export type AccessRule = NonNullable<Schemas['AccessRuleDtoOrNull']>;
export type AccessSet = Schemas['AccessSetDto'];
export type Chunk = Schemas['ChunkDto'];
export type ApiKey = Schemas['ApiKeyDto'];
export type IssuedApiKey = Schemas['IssuedApiKeyDto'];
export type Connection = Schemas['ConnectionDto'];
export type ServiceAccount = Schemas['ServiceAccountDto'];
export type Settings = Schemas['SettingsDto'];
export type Conversation = Schemas['ConversationDto'];
export type Message = Schemas['MessageDto'];
export type Trace = Schemas['TraceDto'];
export type Member = Schemas['MemberDto'];
export type Invitation = Schemas['InvitationDto'];
export type CreatedInvitation = Schemas['CreatedInvitationDto'];
export type AuditEvent = Schemas['AuditEventDto'];
export type Source = Schemas['SourceDto'];
export type ConnectedSource = Schemas['ConnectedSourceDto'];
export type SourceRun = Schemas['SourceRunDto'];
export type Channel = Schemas['ChannelDto'];
export type Site = Schemas['SiteDto'];
export type Figures = Schemas['FiguresDto'];
export type Costs = Schemas['CostsDto'];
export type CostRow = Schemas['CostRowDto'];
export type Webhook = Schemas['WebhookDto'];
export type IssuedWebhook = Schemas['IssuedWebhookDto'];
export type Delivery = Schemas['WebhookDeliveryDto'];
export type TrustedIssuer = Schemas['TrustedIssuerDto'];
export type CuratedAnswer = Schemas['CuratedAnswerDto'];
export type Gap = Schemas['GapDto'];
export type Evaluation = Schemas['EvaluationDto'];
export type EvaluationSummary = Schemas['EvaluationSummaryDto'];

export type Api = LatchkeyDashboard;

const FILE_TIMEOUT_MS = 3_600_000;

/** @param timeoutMs how long an answer is waited for */
export function connect(
  session: Session,
  timeoutMs = 60_000,
  fetch?: typeof globalThis.fetch,
): Api {
  return new LatchkeyDashboard({
    baseUrl: location.origin,
    headers: () => session.headers(),
    maxRetries: 1,
    timeoutMs,
    ...(fetch && { fetch }),
  });
}

/** Connects with a time limit for large files. */
export const connectForFiles = (session: Session, fetch?: typeof globalThis.fetch): Api =>
  connect(session, FILE_TIMEOUT_MS, fetch);

/** A part of the console itself could not be loaded. */
export class PageAwayError extends Error {}

/** Whether trying again later can help. */
export const isAway = (error: unknown) =>
  error instanceof PageAwayError ||
  (error instanceof LatchkeyError &&
    ['unreachable', 'timed_out', 'cut_off', 'not_latchkey', 'database_unavailable'].includes(
      error.code,
    ));

export const isSignedOut = (error: unknown) =>
  error instanceof LatchkeyError && error.status === 401;

/** Whether the resource does not exist, or the user may not read it. */
export const isNotFound = (error: unknown) =>
  error instanceof LatchkeyError && error.status === 404;

/** Describes an error to the user. */
export function describe(error: unknown): string {
  if (!(error instanceof LatchkeyError))
    return error instanceof Error ? error.message : String(error);
  if (isAway(error)) return 'The service does not answer at the moment.';
  return error.message;
}

/** The message of the service about one field. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof LatchkeyError)) return undefined;
  return error.problem?.errors?.find((each) => each.field === field)?.message;
}

/** The fields that the service complains of. */
export const listWrongFields = (error: unknown): readonly string[] =>
  error instanceof LatchkeyError ? (error.problem?.errors ?? []).map(({ field }) => field) : [];
