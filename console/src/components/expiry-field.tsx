import { useState } from 'preact/hooks';
import type { ApiKey } from '../api.js';
import { plural } from './basics.js';
import { Input, localTime, Select } from './field.js';

const DAY_MS = 86_400_000;
const PRESETS = [
  [30, 'in 30 days'],
  [90, 'in 90 days'],
  [365, 'in a year'],
] as const;

const OTHER = 'other';

type Dated = Pick<ApiKey, 'created_at' | 'expires_at'>;

/**
 * The expiry of a key: never, after some days, or at a time that is typed. It only offers what the service accepts.
 *
 * @param apiKey without it, a new one
 * @param maxAgeDays the maximum age of a key; a new one without an expiry gets the latest possible
 * @param isRequired whether it must expire
 */
export function ExpiryField(props: {
  apiKey: Dated | undefined;
  maxAgeDays: number | null;
  isRequired: boolean;
  initial?: (typeof PRESETS)[number][0];
  error: unknown;
}) {
  const { apiKey, maxAgeDays, isRequired, error } = props;
  const expiresAt = apiKey?.expires_at ?? null;
  // If the request is repeated after a lost answer, the same choice must give the same time.
  const [opened] = useState(Date.now);
  const inDays = (days: number) => new Date(opened + days * DAY_MS).toISOString();
  const latest = findLatestEnd(apiKey, maxAgeDays, opened);
  // The current expiry may stay, however late.
  const max = latest && Math.max(latest, Date.parse(expiresAt ?? '') || 0);
  const hasNever = apiKey
    ? expiresAt === null || (latest === null && !isRequired)
    : maxAgeDays !== null || !isRequired;
  // Presets of the last day are left out, because the clock of the service may be behind.
  const presets = PRESETS.filter(
    ([days]) => latest === null || opened + days * DAY_MS <= latest - DAY_MS,
  );
  const initial = apiKey ? undefined : (props.initial ?? (hasNever ? undefined : 90));
  const preset = presets.find(([days]) => days === initial);
  const first = expiresAt !== null ? OTHER : preset ? inDays(preset[0]) : '';
  const [choice, setChoice] = useState(first);
  return (
    <>
      <Select
        label="Expires"
        name="expires_at"
        initial={first}
        error={error}
        onChange={(event) => {
          setChoice(event.currentTarget.value);
        }}
      >
        {hasNever && (
          <option value="">
            {apiKey || maxAgeDays === null
              ? 'never'
              : `in ${plural(maxAgeDays, 'day')}, the latest allowed`}
          </option>
        )}
        {presets.map(([days, words]) => (
          <option key={days} value={inDays(days)}>
            {words}
          </option>
        ))}
        <option value={OTHER}>at…</option>
      </Select>
      {choice === OTHER && (
        <Input
          label="Date and time"
          name="expiry_time"
          type="datetime-local"
          required
          max={max === null ? undefined : localTime(new Date(max).toISOString())}
          defaultValue={localTime(expiresAt)}
          hint="In your time zone"
        />
      )}
    </>
  );
}

/** Finds the latest expiry that the service accepts. For a key older than allowed, it may only become earlier. */
function findLatestEnd(apiKey: Dated | undefined, maxAgeDays: number | null, now: number) {
  if (maxAgeDays === null) return null;
  const ofNew = now + maxAgeDays * DAY_MS;
  if (!apiKey) return ofNew;
  const ofThis = Date.parse(apiKey.created_at) + maxAgeDays * DAY_MS;
  const before = apiKey.expires_at === null ? ofNew : Date.parse(apiKey.expires_at);
  return Math.max(ofThis, Math.min(before, ofNew));
}

/**
 * Reads the expiry from the fields; null for never.
 *
 * @param before the current expiry, which stays exact if the field is unchanged: local times have minutes only,
 *   and one of them may come twice in a night
 */
export function readExpiry(fields: Record<string, string>, before: string | null = null) {
  const { expires_at, expiry_time } = fields;
  if (expires_at !== OTHER) return expires_at ?? null;
  if (expiry_time === undefined || expiry_time === localTime(before)) return before;
  return new Date(expiry_time).toISOString();
}
