export const moment = (instant) =>
  new Date(instant).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

/** Whether a key works, and until when, in words for people. */
export function stateOf({ active, state, rotated_to, expires_at }) {
  if (state === 'deactivated') return 'revoked';
  if (rotated_to) return `rotated, ${active ? 'ends' : 'ended'} ${moment(expires_at)}`;
  if (!active) return `expired ${moment(expires_at)}`;
  return expires_at ? `active until ${moment(expires_at)}` : 'active';
}
