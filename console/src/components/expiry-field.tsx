import { useState } from 'preact/hooks';
import { Input, localTime, Select } from './field.js';

const DAY_MS = 86_400_000;
const PRESETS = [
  [30, 'in 30 days'],
  [90, 'in 90 days'],
  [365, 'in a year'],
] as const;

const OTHER = 'other';

/**
 * When a key stops by itself: never, after some days, or at a time that is typed.
 *
 * @param initial days of a new key; without it never
 */
export function ExpiryField(props: {
  expiresAt?: string | null;
  initial?: (typeof PRESETS)[number][0];
  error: unknown;
}) {
  const { expiresAt = null, error } = props;
  // Sent again after a lost answer, the same choice must be the same time.
  const [opened] = useState(Date.now);
  const inDays = (days: number) => new Date(opened + days * DAY_MS).toISOString();
  const first =
    expiresAt !== null ? OTHER : props.initial === undefined ? '' : inDays(props.initial);
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
        <option value="">never</option>
        {PRESETS.map(([days, words]) => (
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
          defaultValue={localTime(expiresAt)}
          hint="In your time zone"
        />
      )}
    </>
  );
}

/**
 * What was chosen there; null for never.
 *
 * @param before which stays to the millisecond where the field was left as it is: local times have
 *   minutes only, and one of them may come twice in a night
 */
export function expiryOf(fields: Record<string, string>, before: string | null = null) {
  const { expires_at, expiry_time } = fields;
  if (expires_at !== OTHER) return expires_at ?? null;
  if (expiry_time === undefined || expiry_time === localTime(before)) return before;
  return new Date(expiry_time).toISOString();
}
