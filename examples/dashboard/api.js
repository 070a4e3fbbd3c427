/* global fetch */

/** An error of the service, with a message for people; its status is 0 if no answer came. */
export class Refusal extends Error {
  constructor(status, { detail, request_id, errors = [] }) {
    const fields = errors.map(({ message }) => message).join('; ');
    super(fields || detail || `The service answered ${status}.`);
    this.status = status;
    this.requestId = request_id;
  }
}

/**
 * Calls the service through the gateway, which identifies the user by the session cookie. The page
 * itself has no credential.
 */
export async function call(method, path, body, headers = {}) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Refusal(0, { detail: 'The service cannot be reached. Try again in a moment.' });
  });
  // Errors of the gateway itself are not JSON.
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

/** Reads all pages of a list. */
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
