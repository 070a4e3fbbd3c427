import { HttpException } from '@nestjs/common';

/**
 * Every way in which a request can fail, by its stable `code`: the status and the default detail, which
 * says what is wrong. remediation.ts says what to do about it.
 */
export const PROBLEMS = {
  validation_failed: [400, 'The request is invalid; see errors.'],
  invalid_user_id: [
    400,
    'X-Idp-User-Id must be a single user id: 1 to 255 visible ASCII characters, without commas and not starting with group:.',
  ],
  invalid_subject_token: [
    400,
    'The token is invalid or expired, has several audiences, or is not trusted by any knowledge base.',
  ],
  invalid_groups: [
    400,
    'The user’s groups must be a list of at most 500 names of 1 to 255 characters.',
  ],
  dashboard_authentication_required: [401, 'The header X-Idp-User-Id is missing.'],
  api_key_required: [
    401,
    'The request has no API key, neither as Authorization: Bearer nor as api_key in a JSON body.',
  ],
  invalid_api_key: [401, 'The API key is not valid.'],
  api_key_revoked: [401, 'The API key has been revoked.'],
  api_key_expired: [401, 'The API key has expired.'],
  client_token_expired: [401, 'The client token has expired.'],
  proof_required: [
    401,
    'The API key or client token is bound to a key, which the request does not prove.',
  ],
  invalid_proof: [401, 'The proof in the header DPoP is not valid for this request.'],
  invalid_link: [401, 'The link was not signed for this document, or has expired.'],
  portal_session_required: [
    401,
    'No link to the portal was opened in this browser, or too long ago.',
  ],
  invalid_signature: [401, 'The request signature is missing or wrong.'],
  self_rotation_off: [403, 'The API key may not rotate itself.'],
  insufficient_scope: [403, 'The credential lacks a required scope.'],
  end_user_mismatch: [
    403,
    'The client token belongs to another end user than the end_user_id of the request.',
  ],
  ip_not_allowed: [403, 'The API key may not be used from this address.'],
  origin_not_allowed: [
    403,
    'The knowledge base, the client token or the dashboard does not allow this origin.',
  ],
  host_not_allowed: [403, 'This development service only accepts loopback host names.'],
  owner_required: [403, 'Only an owner of the knowledge base may do this.'],
  insufficient_role: [403, 'Viewers cannot modify a knowledge base.'],
  site_paused: [403, 'The site is paused: it answers no questions now.'],
  invalid_solution: [403, 'The challenge is not solved, has expired, or was used before.'],
  not_found: [404, 'Nothing was found, or you do not have access to it.'],
  content_not_found: [404, 'The original of the document is no longer stored.'],
  model_not_found: [404, 'The key’s knowledge base has no such model.'],
  method_not_allowed: [405, 'This path does not support the method.'],
  last_owner: [409, 'A knowledge base must keep at least one owner that is a user, not a group.'],
  duplicate_document: [
    409,
    'The knowledge base already has a document with this external_id or content.',
  ],
  webhook_limit_reached: [409, 'The knowledge base already has 10 webhooks, the maximum.'],
  webhook_deactivated: [409, 'The webhook is deactivated, so nothing is sent to it.'],
  access_changed: [
    409,
    'The documents or their access rules changed while the answer was being written.',
  ],
  access_set_in_use: [409, 'The access set is used by documents.'],
  source_running: [409, 'The source is already running.'],
  legal_hold: [
    409,
    'The knowledge base is under legal hold: nothing in it can be deleted or overwritten.',
  ],
  quota_reached: [409, 'The quota has been reached.'],
  already_rotated: [409, 'The API key has already been rotated.'],
  idempotency_conflict: [
    409,
    'The Idempotency-Key was already sent with another body, or its API key has been used since.',
  ],
  invitation_ended: [410, 'The invitation was used, has expired, was withdrawn, or never was.'],
  portal_link_ended: [410, 'The link to the portal was opened before, has expired, or never was.'],
  payload_too_large: [413, 'The body is too large for this endpoint.'],
  unsupported_media_type: [
    415,
    'The body must be JSON in UTF-8, or of another media type that this operation accepts.',
  ],
  range_not_satisfiable: [416, 'The range starts past the end of the file.'],
  page_unreadable: [422, 'The page of the document cannot be displayed.'],
  rate_limited: [
    429,
    'There were too many requests with this API key, for this end user, by this user or from this address.',
  ],
  too_many_uploads: [429, 'This user has too many uploads in progress.'],
  daily_limit_reached: [429, 'The knowledge base has reached its limit of messages for today.'],
  budget_reached: [429, 'The budget of the API key or of its end user is used up.'],
  knowledge_base_busy: [429, 'The knowledge base has too many questions waiting.'],
  internal_error: [500, 'An internal error occurred.'],
  model_unavailable: [502, 'The language model failed before it completed its answer.'],
  model_timeout: [504, 'The language model did not answer in time.'],
  database_unavailable: [503, 'The database is unavailable.'],
  worker_unavailable: [503, 'This part of the service is starting. Try again in a few seconds.'],
  search_unavailable: [503, 'Search is unavailable.'],
  content_store_unavailable: [503, 'The store for originals of documents is unavailable.'],
  identity_provider_unavailable: [
    503,
    'The token cannot be verified, because its issuer is unavailable.',
  ],
  signing_keys_unavailable: [503, 'GitHub’s signing keys are unavailable.'],
  chat_service_unavailable: [503, 'Slack is unavailable.'],
  verification_busy: [503, 'The service is busy verifying other API keys.'],
} as const satisfies Record<string, readonly [status: number, detail: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The title of a problem, such as `API key revoked`. */
function toTitle(code: ProblemCode): string {
  if (code === 'ip_not_allowed') return 'Address not allowed';
  const words = code.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface FieldError {
  field: string;
  message: string;
}

/** The maximum number of errors in a problem. */
export const MAX_ERRORS = 100;

interface ProblemOptions {
  /** Replaces the status of the code. */
  status?: number;
  detail?: string;
  /** What the caller should do, for formats that include it in the text. */
  remedy?: string;
  errors?: FieldError[];
  /** Additional members of the problem, as RFC 9457 allows. */
  extensions?: Record<string, string>;
  /** Response headers. A 503 has `Retry-After: 1` by default. */
  headers?: Record<string, string>;
}

/** An error for the client. It must not contain a secret or a rejected value. */
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

  /** What went wrong, in a sentence. */
  get detail(): string {
    const [, detail] = PROBLEMS[this.code];
    return this.details.detail ?? detail;
  }

  /** What is wrong with fields, or else the detail. */
  get reasons(): string[] {
    return this.details.errors?.map(({ message }) => message) ?? [this.detail];
  }

  /** A copy of the problem with additional members, or other headers. */
  with({ extensions, headers }: Pick<ProblemOptions, 'extensions' | 'headers'>): Problem {
    return new Problem(this.code, {
      ...this.details,
      extensions: { ...this.details.extensions, ...extensions },
      headers: { ...this.headers, ...headers },
    });
  }

  /** The body of the response (RFC 9457). */
  toBody(requestId: string): Record<string, unknown> {
    return {
      type: `urn:latchkey:problem:${this.code}`,
      title: toTitle(this.code),
      status: this.getStatus(),
      detail: this.detail,
      code: this.code,
      request_id: requestId,
      ...this.details.extensions,
      ...(this.details.errors && { errors: this.details.errors.slice(0, MAX_ERRORS) }),
    };
  }
}

/** A `validation_failed` about one field. */
export const invalidField = (field: string, message: string) =>
  new Problem('validation_failed', { errors: [{ field, message }] });

/** @param quota the environment variable that sets it */
export const quotaReached = (quota: string, limit: number) =>
  new Problem('quota_reached', {
    detail: `The quota has been reached: ${quota} is ${limit}.`,
    extensions: { quota },
  });
