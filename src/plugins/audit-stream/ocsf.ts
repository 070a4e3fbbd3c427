import type { Change } from '../../knowledge-bases/events/event.js';
import type { RecordedChange } from '../../knowledge-bases/events/recorded-event.entity.js';

/** The version of the schema (https://schema.ocsf.io) that defines these classes and attributes. */
const OCSF_VERSION = '1.5.0';

const ACCOUNT_CHANGE = 3001;
const AUTHENTICATION = 3002;
const ENTITY_MANAGEMENT = 3004;
const USER_ACCESS = 3005;
const API_ACTIVITY = 6003;

const PRODUCT = { name: 'Latchkey', vendor_name: 'Latchkey' };
const SERVICE = { name: PRODUCT.name };
const INFORMATIONAL = 1;
const LOW = 2;
const HIGH = 4;
const OPENID = 4;
const CREATE = 1;
const READ = 2;
const UPDATE = 3;
const DELETE = 4;
const OTHER = 99;

/** An event in the Open Cybersecurity Schema Framework, before it has its place in the chain. */
export interface OcsfEvent {
  readonly class_uid: number;
  readonly metadata: object;
  /** Fields that the schema does not define. */
  readonly unmapped: object;
  readonly [attribute: string]: unknown;
}

interface Head {
  readonly uid: string;
  readonly code: string;
  readonly at: Date;
  readonly requestId?: string;
  readonly severity?: number;
  /** The code of the problem that refused it. */
  readonly refusedWith?: string | undefined;
}

const head = (classUid: number, activity: number, event: Head) => ({
  category_uid: Math.floor(classUid / 1000),
  class_uid: classUid,
  activity_id: activity,
  type_uid: classUid * 100 + activity,
  ...(activity === OTHER && { activity_name: event.code }),
  time: event.at.getTime(),
  severity_id: event.severity ?? INFORMATIONAL,
  status_id: event.refusedWith === undefined ? 1 : 2,
  ...(event.refusedWith !== undefined && { status_code: event.refusedWith }),
  message: event.code,
  metadata: {
    version: OCSF_VERSION,
    product: PRODUCT,
    log_name: 'audit',
    uid: event.uid,
    event_code: event.code,
    ...(event.requestId !== undefined && { correlation_uid: event.requestId }),
  },
});

const toOcsfUser = (id: string | undefined) =>
  id === undefined ? { name: 'unknown' } : { uid: id };

/** Converts a change. */
export function changeToOcsf(event: RecordedChange): OcsfEvent {
  const { action, actor, targetId, kbId, details } = event;
  const severity = action === 'api_key.reported_as_leaked' ? HIGH : INFORMATIONAL;
  const at = event.createdAt;
  const common = { uid: event.id, code: action, at, requestId: event.requestId, severity };
  const rest = { actor: { user: { uid: actor } } };
  const unmapped = { kb_id: kbId, target_id: targetId, details };
  const [subject = '', verb = ''] = action.split('.');
  if (subject === 'service_account') {
    const activity = { created: CREATE, deleted: 6 }[verb] ?? OTHER;
    return {
      ...head(ACCOUNT_CHANGE, activity, common),
      ...rest,
      user: { uid: targetId },
      unmapped,
    };
  }
  if (subject === 'member') {
    return {
      ...head(USER_ACCESS, action === 'member.removed' ? 2 : 1, common),
      ...rest,
      user: { uid: targetId },
      privileges: [readRole(details)],
      resources: [{ uid: kbId, type: 'knowledge_base' }],
      unmapped,
    };
  }
  return {
    ...head(ENTITY_MANAGEMENT, toActivity(action), common),
    ...rest,
    entity: { uid: targetId, type: subject },
    unmapped,
  };
}

const readRole = (details: object): string =>
  'role' in details && typeof details.role === 'string' ? details.role : 'member';

function toActivity(action: Change): number {
  if (/\.(created|added)$/.test(action)) return CREATE;
  if (/\.(deleted|erased|taken_out)$/.test(action)) return DELETE;
  return action === 'knowledge_base.asked_as' ? READ : UPDATE;
}

/** The parts of a request that are reported. */
export interface ReportedRequest {
  readonly id: string;
  readonly method: string;
  /** The route and not the URL, which can contain secrets by mistake. */
  readonly route: string;
  readonly status: number;
  readonly ip: string;
  /** The user or the API key, once it is proved. */
  readonly actor: string | undefined;
  /** The code of the problem, if it was refused. */
  readonly code: string | undefined;
}

interface EventStamp {
  readonly uid: string;
  readonly at: Date;
}

/** Reports that somebody signed in with a token of the identity provider. */
export const signInToOcsf = (
  { uid, at }: EventStamp,
  { id, ip }: Pick<ReportedRequest, 'id' | 'ip'>,
  userId: string,
): OcsfEvent => ({
  ...head(AUTHENTICATION, 1, { uid, at, code: 'user.signed_in', requestId: id }),
  auth_protocol_id: OPENID,
  user: { uid: userId },
  service: SERVICE,
  src_endpoint: { ip },
  unmapped: {},
});

const toApiActivity = ({ method, route, status, ip, actor }: ReportedRequest) => ({
  actor: { user: toOcsfUser(actor) },
  api: { operation: `${method} ${route}`, service: SERVICE },
  http_request: { http_method: method, url: { path: route } },
  http_response: { code: status },
  src_endpoint: { ip },
});

/** Reports that a credential or a request was refused. */
export function refusalToOcsf({ uid, at }: EventStamp, request: ReportedRequest): OcsfEvent {
  const { id: requestId, status, method } = request;
  const refusedWith = request.code ?? String(status);
  const common = { uid, at, requestId, severity: LOW, refusedWith };
  if (status === 401) {
    return {
      ...head(AUTHENTICATION, 1, { ...common, code: 'credential.refused' }),
      user: toOcsfUser(request.actor),
      service: SERVICE,
      http_request: { http_method: method, url: { path: request.route } },
      src_endpoint: { ip: request.ip },
      unmapped: {},
    };
  }
  const activities: Record<string, number> = { GET: READ, PUT: UPDATE, PATCH: UPDATE, DELETE };
  return {
    ...head(API_ACTIVITY, activities[method] ?? CREATE, { ...common, code: 'request.refused' }),
    ...toApiActivity(request),
    unmapped: {},
  };
}

/** Reports the number of refusals without an event of their own, because there were too many. */
export const refusalsLeftOut = ({ uid, at }: EventStamp, count: number): OcsfEvent => ({
  ...head(AUTHENTICATION, 1, {
    ...{ uid, at, severity: LOW, refusedWith: 'many' },
    code: 'refusals.left_out',
  }),
  user: toOcsfUser(undefined),
  service: SERVICE,
  count,
  unmapped: {},
});

/** Reports that somebody read conversations of others. */
export const readingToOcsf = (
  { uid, at }: EventStamp,
  request: ReportedRequest,
  resource: { uid: string; type: string },
): OcsfEvent => ({
  ...head(API_ACTIVITY, READ, { uid, at, code: 'conversation.read', requestId: request.id }),
  ...toApiActivity(request),
  resources: [resource],
  unmapped: {},
});
