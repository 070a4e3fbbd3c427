import type { Filter } from '@latchkey/client';
import type { ApiKey } from '../api.js';
import { fieldsOf, Input, jsonOf, localTime, TextArea, toNumber } from './field.js';

const SCOPES = [
  ['query', 'find passages'],
  ['chat', 'ask for answers'],
  ['feedback', 'rate answers'],
  ['documents:read', 'read documents'],
  ['documents:write', 'add and delete documents'],
] as const;

type Scope = (typeof SCOPES)[number][0];

const DEFAULT_SCOPES: readonly Scope[] = ['query', 'chat', 'feedback'];

/** The scopes of a key as a person says them. */
export const scopeWords = (scopes: ApiKey['scopes']) =>
  scopes.map((scope) => SCOPES.find(([name]) => name === scope)?.[1] ?? scope).join(', ');

/** The scopes, expiry and limits of a key; of a new one, or of `apiKey`. */
export function KeyFields({ apiKey, error }: { apiKey?: ApiKey; error: unknown }) {
  const scopes = apiKey?.scopes ?? DEFAULT_SCOPES;
  return (
    <>
      <fieldset>
        <legend>Scopes</legend>
        {SCOPES.map(([scope, words]) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              defaultChecked={scopes.includes(scope)}
            />{' '}
            {words}
          </label>
        ))}
      </fieldset>
      <Input
        label="Expires"
        name="expires_at"
        type="datetime-local"
        defaultValue={localTime(apiKey?.expires_at)}
        error={error}
        hint="In your time zone; never, if left empty"
      />
      <details open={apiKey !== undefined}>
        <summary>More limits</summary>
        <Input
          label="Requests a minute"
          name="rate_limit_per_minute"
          type="number"
          min={1}
          max={1_000_000}
          defaultValue={apiKey?.rate_limit_per_minute ?? ''}
          error={error}
          hint="As in the settings, if left empty"
        />
        <Input
          label="Requests of an end user"
          name="rate_limit_per_end_user"
          type="number"
          min={1}
          max={1_000_000}
          defaultValue={apiKey?.rate_limit_per_end_user ?? ''}
          error={error}
          hint="A minute; as in the settings, if left empty"
        />
        <Input
          label="Addresses"
          name="allowed_ips"
          defaultValue={apiKey?.allowed_ips?.join(' ') ?? ''}
          error={error}
          hint="Such as 203.0.113.0/24, with spaces between them; any, if left empty"
        />
        <TextArea
          label="Filter"
          name="filter"
          defaultValue={apiKey?.filter ? JSON.stringify(apiKey.filter) : ''}
          error={error}
          hint={
            <>
              Only documents whose metadata fits, as JSON, such as{' '}
              <code>{'{"type":"eq","key":"department","value":"support"}'}</code>
            </>
          }
        />
        <Input
          label="Description"
          name="description"
          maxLength={1000}
          defaultValue={apiKey?.description ?? ''}
          error={error}
        />
      </details>
    </>
  );
}

/** What was typed there; null where a field is empty. */
export function keyFieldsOf(form: HTMLFormElement) {
  const fields = fieldsOf(form);
  const { description = null, expires_at, allowed_ips, filter } = fields;
  return {
    scopes: new FormData(form).getAll('scopes') as Scope[],
    description,
    expires_at: expires_at === undefined ? null : new Date(expires_at).toISOString(),
    rate_limit_per_minute: toNumber(fields['rate_limit_per_minute']),
    rate_limit_per_end_user: toNumber(fields['rate_limit_per_end_user']),
    allowed_ips: allowed_ips === undefined ? null : allowed_ips.trim().split(/[\s,]+/),
    filter: filter === undefined ? null : (jsonOf(filter, 'The filter') as Filter),
  };
}
