import { type Problem, type ProblemCode, PROBLEMS } from './problem.js';

/** What the caller does about each problem, for docs/errors.md. */
export const REMEDIATION: Record<ProblemCode, string> = {
  validation_failed: 'Correct the fields that `errors` names.',
  invalid_user_id: 'Send it once, as one plain user id.',
  invalid_subject_token:
    'Compare `iss`, `aud`, `sub` and the other claims of the token with the trusted issuer.',
  invalid_groups:
    'Send X-Idp-Groups once, as a JSON list of strings; or let the identity provider name fewer groups, such as those assigned to this application.',
  dashboard_authentication_required:
    'Send it, and also what the deployment requires: the gateway’s secret or a token.',
  api_key_required: 'Send the secret in one of these places, and nowhere else.',
  invalid_api_key: 'Compare the secret with what was issued; if it is lost, create a new key.',
  api_key_revoked: 'This cannot be undone: create a new key and replace this one.',
  api_key_expired: 'Use its successor (`rotated_to`), or create a new key.',
  client_token_expired: 'Have your backend create another one with `POST /client-tokens`.',
  proof_required:
    'Send a proof (RFC 9449) for this request in the header `DPoP`, signed by the key that `sender_constraint` names.',
  invalid_proof:
    'Make a new proof for each request; after `use_dpop_nonce` with the nonce in `DPoP-Nonce`.',
  invalid_link: 'Ask again, or list the conversation again: each answer has new links.',
  portal_session_required: 'Ask whoever manages the key for a new link.',
  invalid_signature:
    'Sign the body as it is sent, with the key of the sender: one that GitHub publishes, or the signing secret.',
  self_rotation_off: 'Ask whoever manages the key to rotate it, or to set self_rotation.',
  insufficient_scope: 'Use a key that has it, or have it added to `scopes`.',
  end_user_mismatch: 'Leave `end_user_id` out, or create a token for that end user.',
  ip_not_allowed: 'Call from an address in the key’s `allowed_ips`, or change that list.',
  origin_not_allowed:
    'Ask from a page of an origin in `allowed_origins`, for the dashboard in `DASHBOARD_ALLOWED_ORIGINS`, or from a backend.',
  host_not_allowed: 'Open it as `localhost`; to use other names, deploy it with a gateway or OIDC.',
  owner_required: 'Ask an owner: *List the members* names them.',
  insufficient_role: 'Ask an owner to make you a member.',
  not_found: 'Check the id, and that the user you act for is a member.',
  content_not_found: 'Upload the document again if its original is needed.',
  site_paused: 'Try again later, or ask those who run the page.',
  invalid_solution: 'Get a new challenge and solve it.',
  model_not_found: 'Use `latchkey`, or the id of the key’s knowledge base.',
  method_not_allowed: 'Use one that the header `Allow` lists.',
  last_owner: 'Make another member an owner first.',
  duplicate_document:
    'Send `on_duplicate` with `skip` or `replace`; `existing_document_id` names the document.',
  webhook_limit_reached: 'Delete one that is no longer needed.',
  webhook_deactivated:
    'Fix the receiver, then change the webhook’s `state` to `active` and try again.',
  access_changed: 'Ask again.',
  access_set_in_use: 'Change the access of these documents first.',
  source_running: 'Wait until it has ended, or cancel it.',
  legal_hold: 'Ask an owner to set `legal_hold` to false first.',
  quota_reached: 'Delete what is no longer used, or ask the operator to raise `quota`.',
  already_rotated: 'Use the successor, which `rotated_to` names.',
  idempotency_conflict: 'Use a new `Idempotency-Key` for each thing to create.',
  invitation_ended: 'Ask an owner of the knowledge base for a new link.',
  portal_link_ended: 'Ask whoever manages the key for a new link.',
  payload_too_large: 'Send less at once.',
  unsupported_media_type: 'Send a media type that the operation lists, and text in UTF-8.',
  range_not_satisfiable: 'Ask for a part within the bytes that `Content-Range` names.',
  page_unreadable: 'Open the original without `page`.',
  rate_limited: 'Try again after the seconds in `Retry-After`, or have the limit raised.',
  too_many_uploads: 'Wait until another upload is answered.',
  daily_limit_reached: 'Wait until midnight UTC (`Retry-After`), or have the limit raised.',
  budget_reached:
    'Wait until the day or month (UTC) ends (`Retry-After`), or have `budget` raised.',
  knowledge_base_busy:
    'Try again after `Retry-After`; ask fewer questions at once, or shorter ones.',
  internal_error: 'Try again later; if it persists, report it with its `request_id`.',
  model_unavailable: 'Try again later; the operator finds the reason in the log.',
  model_timeout: 'Try again later, or ask for less; the operator may raise `LLM_TIMEOUT_MS`.',
  database_unavailable: 'Try again after `Retry-After`; nothing was changed.',
  worker_unavailable:
    'Try again after `Retry-After`; if it persists, the operator finds the reason in the log.',
  search_unavailable: 'Try again after `Retry-After`.',
  content_store_unavailable: 'Try again after `Retry-After`; nothing was changed.',
  chat_service_unavailable: 'Try again later; `SLACK_API_URL` must lead to Slack.',
  identity_provider_unavailable: 'Try again after `Retry-After`.',
  signing_keys_unavailable: 'Try again after `Retry-After`.',
  verification_busy: 'Try again after `Retry-After`.',
};

/** Returns what is wrong and what to do, in two or more sentences. */
const explain = (code: ProblemCode): string => `${PROBLEMS[code][1]} ${REMEDIATION[code]}`;

/**
 * Describes a problem in one text, for formats without a list of errors: what is wrong with each field,
 * or what is wrong and what to do.
 */
export function toText(problem: Problem): string {
  const { detail, errors = [] } = problem.toBody('') as {
    detail: string;
    errors?: { message: string }[];
  };
  if (errors.length > 0) return `${errors.map(({ message }) => message).join('; ')}.`;
  if (problem.code === 'validation_failed') return detail;
  return `${detail} ${problem.remedy ?? REMEDIATION[problem.code]}`;
}

/** Builds the rows of a Markdown table with status, code and explanation of every problem. */
export const buildProblemTable = (): string =>
  (Object.keys(PROBLEMS) as ProblemCode[])
    .toSorted((a, b) => PROBLEMS[a][0] - PROBLEMS[b][0])
    .map((code) => `| ${PROBLEMS[code][0]} | \`${code}\` | ${explain(code)} |`)
    .join('\n');
