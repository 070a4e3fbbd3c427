import { HttpException } from '@nestjs/common';

/**
 * Every way a request can fail, by its stable `code`: status, title, and the detail told when the
 * place that raises it has nothing better to say.
 */
export const PROBLEMS = {
  validation_failed: [400, 'Validation failed', 'The request is not well-formed; see errors.'],
  invalid_user_id: [
    400,
    'Invalid user id',
    'X-Idp-User-Id must be sent once: 1 to 255 visible ASCII characters, no comma.',
  ],
  dashboard_authentication_required: [
    401,
    'Dashboard authentication required',
    'Send the header X-Idp-User-Id.',
  ],
  api_key_required: [401, 'API key required', 'Send the field api_key in the JSON body.'],
  invalid_api_key: [401, 'Invalid API key', 'The API key is not valid.'],
  api_key_revoked: [401, 'API key revoked', 'The API key has been deactivated.'],
  api_key_expired: [401, 'API key expired', 'The API key is past its expiry.'],
  ip_not_allowed: [403, 'Address not allowed', 'The API key may not be used from this address.'],
  origin_not_allowed: [
    403,
    'Origin not allowed',
    'The knowledge base does not answer pages of this origin.',
  ],
  host_not_allowed: [
    403,
    'Host not allowed',
    'This development service answers on loopback host names only.',
  ],
  owner_required: [403, 'Owner required', 'Only an owner of the knowledge base may do this.'],
  not_found: [404, 'Not found', 'There is nothing here, or it is not yours to see.'],
  method_not_allowed: [405, 'Method not allowed', 'See the header Allow.'],
  last_owner: [409, 'Last owner', 'A knowledge base keeps at least one owner.'],
  duplicate_document: [
    409,
    'Duplicate document',
    'The knowledge base has a document with this external_id or content.',
  ],
  api_key_limit_reached: [
    409,
    'API key limit reached',
    'A knowledge base has at most 100 API keys; delete one that is no longer used.',
  ],
  quota_reached: [
    409,
    'Quota reached',
    'There is no room for more: the quota that is named is used up.',
  ],
  already_rotated: [409, 'Already rotated', 'The API key has a successor; rotate that one.'],
  idempotency_conflict: [
    409,
    'Idempotency conflict',
    'The Idempotency-Key was sent with another body, or its API key has been used since.',
  ],
  payload_too_large: [413, 'Payload too large', 'The body is larger than this endpoint takes.'],
  unsupported_media_type: [
    415,
    'Unsupported media type',
    'Send application/json, encoded in UTF-8.',
  ],
  rate_limited: [
    429,
    'Rate limited',
    'Too many requests with this API key, or from this address; see Retry-After.',
  ],
  too_many_uploads: [
    429,
    'Too many uploads',
    'So many files are being uploaded by this user already; see Retry-After.',
  ],
  daily_limit_reached: [
    429,
    'Daily limit reached',
    'The knowledge base takes no more messages today; see Retry-After.',
  ],
  knowledge_base_busy: [
    429,
    'Knowledge base busy',
    'The knowledge base has too many questions waiting; see Retry-After.',
  ],
  internal_error: [500, 'Internal error', 'Something went wrong on our side.'],
  model_unavailable: [502, 'Model unavailable', 'The language model gave no whole answer.'],
  model_timeout: [504, 'Model timeout', 'The language model did not answer in time.'],
  database_unavailable: [503, 'Database unavailable', 'The database cannot be used right now.'],
  identity_provider_unavailable: [
    503,
    'Identity provider unavailable',
    'The token cannot be verified right now; see Retry-After.',
  ],
  verification_busy: [
    503,
    'Verification busy',
    'The API key cannot be verified right now; see Retry-After.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface FieldError {
  field: string;
  message: string;
}

export interface ProblemOptions {
  /** Where it differs from the usual one of the code. */
  status?: number;
  detail?: string;
  errors?: FieldError[];
  /** Further members of the problem, as RFC 9457 allows. */
  extensions?: Record<string, string>;
  /** A 503 says `Retry-After: 1` where nothing else is given. */
  headers?: Record<string, string>;
}

/** A refusal that the client is told about. Nothing secret and no rejected value goes in here. */
export class Problem extends HttpException {
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ProblemCode,
    private readonly about: ProblemOptions = {},
  ) {
    const [status, title] = PROBLEMS[code];
    super(title, about.status ?? status);
    this.headers = {
      ...(this.getStatus() === 503 && { 'retry-after': '1' }),
      ...about.headers,
    };
  }

  /** The body of the answer (RFC 9457). */
  toBody(requestId: string): Record<string, unknown> {
    const [, title, detail] = PROBLEMS[this.code];
    return {
      type: `urn:latchkey:problem:${this.code}`,
      title,
      status: this.getStatus(),
      detail: this.about.detail ?? detail,
      code: this.code,
      request_id: requestId,
      ...this.about.extensions,
      ...(this.about.errors && { errors: this.about.errors }),
    };
  }
}

/** One field that is not as it must be. */
export const invalidField = (field: string, message: string) =>
  new Problem('validation_failed', { errors: [{ field, message }] });

/** @param quota the environment variable that sets it */
export const quotaReached = (quota: string, limit: number) =>
  new Problem('quota_reached', {
    detail: `There is no room for more: ${quota} is ${limit}.`,
    extensions: { quota },
  });
