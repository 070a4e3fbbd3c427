/* global fetch */

/** A refusal of the service, in words for people; with status 0 when no answer came. */
export class Refusal extends Error {
  constructor(status, { detail, request_id, errors = [] }) {
    const fields = errors.map(({ message }) => message).join('; ');
    super(fields || detail || `The service answered ${status}.`);
    this.status = status;
    this.requestId = request_id;
  }
}

/**
 * Asks the service through the gateway, which knows from the session's cookie who it is for. The page
 * sends no credential, and could not: it has none.
 */
export async function call(method, path, body, headers = {}) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Refusal(0, { detail: 'The service cannot be reached. Try again in a moment.' });
  });
  // The gateway's own refusals are no JSON.
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

/** All rows of a list. */
export async function list(path) {
  const rows = [];
  let cursor = '';
  do {
    const page = await call('GET', `${path}?limit=100${cursor && `&cursor=${cursor}`}`);
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return rows;
}
