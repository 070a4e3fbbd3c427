const SECRET = /rag_(live|test|admin)_[0-9A-Za-z]{10,}|rag_(client|agent|visitor)_[\w.-]{10,}/g;
const SLACK_TOKEN = /\bx(?:ox[a-z]|app)-[\w-]+/g;
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/=]+/g;
const BEARER = /\bBearer\s+[\w.~+/-]+=*/gi;
const DPOP = /\bDPoP\s+[\w.~+/-]{16,}=*/gi;
/** Characters up to an `@`, which may end in the password of a URL; matched in linear time. */
const BEFORE_AT = /(?<![^\s@])[^\s@]+@/g;
/** `postgres://user:password@` */
const URL_PASSWORD = /\b(\w+:\/\/[^\s:/@]+:).+/s;
/** Names of fields that are secret, whatever the value looks like. */
const SECRET_NAME =
  /^(api_?keys?|client_?tokens?|authorization|cookie|x-gateway-secret|password|secret|signing_?secret|bot_?token|pepper|peppers)$/i;
const MAX_DEPTH = 8;

/** Redacts everything that looks like a secret or the beginning of one. */
export const redact = (text: string): string =>
  text
    .replace(SECRET, 'rag_$1$2_[redacted]')
    .replace(SLACK_TOKEN, 'xox_[redacted]')
    .replace(WEBHOOK_SECRET, 'whsec_[redacted]')
    .replace(BEARER, 'Bearer [redacted]')
    .replace(DPOP, 'DPoP [redacted]')
    .replace(BEFORE_AT, (before) => before.replace(URL_PASSWORD, '$1[redacted]@'));

/** Redacts every string in a value, and every field with the name of a secret. */
export function redactDeep(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return redactError(value);
  if (Array.isArray(value)) return value.map((entry) => redactDeep(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      SECRET_NAME.test(name) ? '[redacted]' : redactDeep(entry, depth + 1),
    ]),
  );
}

/**
 * Keeps only these fields: libraries add others to their errors, such as a statement's parameters,
 * which can be secret.
 */
function redactError(error: Error): object {
  const { cause } = error;
  return {
    type: error.name,
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...('code' in error && { code: String(error.code) }),
    ...(cause instanceof Error && { cause: redactError(cause) }),
  };
}
