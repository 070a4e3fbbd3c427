import { HttpException } from '@nestjs/common';

/**
 * Every way a request can fail, by its stable `code`: the status and the default detail, which says
 * what is wrong. What to do about it is in remediation.ts.
 */
export const PROBLEMS = {
  validation_failed: [400, 'The request is not well-formed; see errors.'],
  invalid_user_id: [
    400,
    'X-Idp-User-Id must be a single user id: 1 to 255 visible ASCII characters without commas, not starting with group:.',
  ],
  invalid_subject_token: [
    400,
    'The token is invalid or has expired, has more than one audience, or no knowledge base trusts its issuer.',
  ],
  invalid_groups: [
    400,
    'The groups of the user must be a list of at most 500 names of 1 to 255 characters.',
  ],
  dashboard_authentication_required: [401, 'The header X-Idp-User-Id is missing.'],
  api_key_required: [
    401,
    'The request has neither an Authorization: Bearer header nor an api_key field in a JSON body.',
  ],
  invalid_api_key: [401, 'The API key is not valid.'],
  api_key_revoked: [401, 'The API key has been revoked.'],
  api_key_expired: [401, 'The API key has expired.'],
  client_token_expired: [401, 'The client token has expired.'],
  invalid_link: [401, 'The link was not signed for this document, or has expired.'],
  invalid_signature: [401, 'The body is not signed by GitHub.'],
  insufficient_scope: [403, 'The credential lacks a required scope.'],
  end_user_mismatch: [403, 'The client token is for a different end_user_id than the request.'],
  ip_not_allowed: [403, 'The API key may not be used from this address.'],
  origin_not_allowed: [
    403,
    'The knowledge base, the client token or the dashboard does not allow pages of this origin.',
  ],
  host_not_allowed: [403, 'This development service answers on loopback host names only.'],
  owner_required: [403, 'Only an owner of the knowledge base may do this.'],
  insufficient_role: [403, 'Viewers cannot modify a knowledge base.'],
  not_found: [404, 'Not found, or you do not have access.'],
  content_not_found: [404, 'The original of the document is no longer stored.'],
  model_not_found: [404, 'The key’s knowledge base has no such model.'],
  method_not_allowed: [405, 'The path does not support this method.'],
  last_owner: [409, 'A knowledge base must keep at least one owner that is a user, not a group.'],
  duplicate_document: [
    409,
    'The knowledge base already has a document with this external_id or content.',
  ],
  webhook_limit_reached: [409, 'The knowledge base already has 10 webhooks, the maximum.'],
  webhook_deactivated: [409, 'The webhook is deactivated, so nothing is sent to it.'],
  access_changed: [
    409,
    'The documents, or who may read them, changed while the answer was written.',
  ],
  access_set_in_use: [409, 'Documents use this access set.'],
  source_running: [409, 'Another run of the source is still in progress.'],
  legal_hold: [
    409,
    'The knowledge base is under legal hold: nothing in it can be deleted or overwritten.',
  ],
  quota_reached: [409, 'The quota has been reached.'],
  already_rotated: [409, 'The API key already has a successor.'],
  idempotency_conflict: [
    409,
    'The Idempotency-Key was used with a different body, or its API key has been used since.',
  ],
  payload_too_large: [413, 'The body is too large for this endpoint.'],
  unsupported_media_type: [
    415,
    'The body must be UTF-8 JSON or another media type that this operation accepts.',
  ],
  range_not_satisfiable: [416, 'The range starts past the end of the file.'],
  page_unreadable: [422, 'The page of the document cannot be shown.'],
  rate_limited: [
    429,
    'Too many requests: with this API key, for this end user, by this user or from this address.',
  ],
  too_many_uploads: [429, 'This user already has the maximum number of uploads in progress.'],
  daily_limit_reached: [429, 'The knowledge base has reached its daily message limit.'],
  budget_reached: [429, 'The budget of the API key, or of its end user, is used up.'],
  knowledge_base_busy: [429, 'Too many questions are waiting for this knowledge base.'],
  internal_error: [500, 'Something went wrong on our side.'],
  model_unavailable: [502, 'The language model failed before its answer was complete.'],
  model_timeout: [504, 'The language model did not answer in time.'],
  database_unavailable: [503, 'The database is temporarily unavailable.'],
  worker_unavailable: [503, 'This part of the service is starting. Try again in a few seconds.'],
  search_unavailable: [503, 'Search is temporarily unavailable.'],
  content_store_unavailable: [503, 'The store of original documents is temporarily unavailable.'],
  identity_provider_unavailable: [503, 'The token cannot be verified right now.'],
  signing_keys_unavailable: [503, 'GitHub’s signing keys cannot be fetched right now.'],
  verification_busy: [503, 'The API key cannot be verified right now.'],
} as const satisfies Record<string, readonly [status: number, detail: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The code in words, such as `API key revoked`. */
function toTitle(code: ProblemCode): string {
  if (code === 'ip_not_allowed') return 'Address not allowed';
  const words = code.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface FieldError {
  field: string;
  message: string;
}

/** The maximum number of errors that a problem lists. */
export const MAX_ERRORS = 100;

interface ProblemOptions {
  /** Replaces the default status of the code. */
  status?: number;
  detail?: string;
  /** What the caller can do, for formats that include it in the text. */
  remedy?: string;
  errors?: FieldError[];
  /** Further members of the problem, as RFC 9457 allows. */
  extensions?: Record<string, string>;
  /** A 503 has `Retry-After: 1` unless given. */
  headers?: Record<string, string>;
}

/** An error shown to the client; it must contain neither secrets nor rejected values. */
export class Problem extends HttpException {
  readonly headers: Record<string, string>;
  readonly remedy: string | undefined;

  constructor(
    readonly code: ProblemCode,
    private readonly details: ProblemOptions = {},
  ) {
    const [status] = PROBLEMS[code];
    super(toTitle(code), details.status ?? status);
    this.headers = { ...(this.getStatus() === 503 && { 'retry-after': '1' }), ...details.headers };
    this.remedy = details.remedy;
  }

  /** Returns the problem with additional members or headers. */
  with({ extensions, headers }: Pick<ProblemOptions, 'extensions' | 'headers'>): Problem {
    return new Problem(this.code, {
      ...this.details,
      extensions: { ...this.details.extensions, ...extensions },
      headers: { ...this.headers, ...headers },
    });
  }

  /** Returns the response body (RFC 9457). */
  toBody(requestId: string): Record<string, unknown> {
    const [, detail] = PROBLEMS[this.code];
    return {
      type: `urn:latchkey:problem:${this.code}`,
      title: toTitle(this.code),
      status: this.getStatus(),
      detail: this.details.detail ?? detail,
      code: this.code,
      request_id: requestId,
      ...this.details.extensions,
      ...(this.details.errors && { errors: this.details.errors.slice(0, MAX_ERRORS) }),
    };
  }
}

/** Creates a `validation_failed` about one field. */
export const invalidField = (field: string, message: string) =>
  new Problem('validation_failed', { errors: [{ field, message }] });

/** @param quota the environment variable that sets the quota */
export const quotaReached = (quota: string, limit: number) =>
  new Problem('quota_reached', {
    detail: `The quota has been reached: ${quota} is ${limit}.`,
    extensions: { quota },
  });
