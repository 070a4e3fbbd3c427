import { type ProblemCode, PROBLEMS } from './problem.js';

/** What the caller does about each problem, for the table in the OpenAPI document. */
const CURES: Record<ProblemCode, string> = {
  validation_failed: 'Mend the fields that `errors` names.',
  invalid_user_id: 'Send `X-Idp-User-Id` once, as one plain user id.',
  dashboard_authentication_required:
    'Send `X-Idp-User-Id`, and what the deployment asks for beside it: a gateway’s secret or a token.',
  api_key_required: 'Send the secret as the field `api_key` of the JSON body, not as a header.',
  invalid_api_key: 'Compare the secret with what was issued; if it is lost, create a new key.',
  api_key_revoked: 'There is no way back: create a new key and put it in the place of this one.',
  api_key_expired: 'Use its successor (`rotated_to`), or create a new key.',
  ip_not_allowed: 'Call from an address in the key’s `allowed_ips`, or change that list.',
  origin_not_allowed: 'Ask from a page of an origin in `allowed_origins`, or from a backend.',
  host_not_allowed: 'Open it under `localhost`; for other names, deploy it with a gateway or OIDC.',
  owner_required: 'Ask an owner: *List the members* tells who they are.',
  not_found: 'Compare the id, and the user you act for: they must be a member.',
  method_not_allowed: 'It names the methods that the path has.',
  last_owner: 'Make another member an owner first.',
  duplicate_document:
    'It is there already as `existing_document_id`; send `on_duplicate` with `skip` or `replace`.',
  api_key_limit_reached: 'The usage of each key tells which.',
  quota_reached: 'Delete what is no longer used, or have `quota` raised by the operator.',
  already_rotated: '`rotated_to` names it.',
  idempotency_conflict: 'Use a new `Idempotency-Key` for each thing to create.',
  payload_too_large: 'Send less at once.',
  unsupported_media_type: 'Send a media type that the operation lists, and text in UTF-8.',
  rate_limited:
    'Wait for the seconds in `Retry-After`, then repeat; or have the key’s limit raised.',
  too_many_uploads: 'Upload fewer files at once, each after another has been answered.',
  daily_limit_reached: 'Wait until midnight UTC (`Retry-After`), or have the limit raised.',
  knowledge_base_busy:
    'Repeat after `Retry-After`; ask fewer questions at once, or with fewer words.',
  internal_error: 'Repeat later; if it stays, report it with its `request_id`.',
  model_unavailable: 'Repeat later; the operator finds in the log why.',
  model_timeout: 'Repeat later, or ask for less; the operator may raise `LLM_TIMEOUT_MS`.',
  database_unavailable: 'Repeat after `Retry-After`; nothing was changed.',
  identity_provider_unavailable: 'Repeat after `Retry-After`.',
  verification_busy: 'Repeat after `Retry-After`.',
};

/** What a problem means, and what to do about it: two sentences or more. */
export const meaningAndCure = (code: ProblemCode): string => `${PROBLEMS[code][2]} ${CURES[code]}`;

/** Every problem code with its status, its meaning and its cure: rows of a Markdown table. */
export const cureRows = (): string =>
  Object.entries(PROBLEMS)
    .toSorted(([, [a]], [, [b]]) => a - b)
    .map(
      ([code, [status]]) => `| ${status} | \`${code}\` | ${meaningAndCure(code as ProblemCode)} |`,
    )
    .join('\n');
