import type { ApiKey, Connection } from '../api.js';

/** The scopes of an API key for asking. */
export const SCOPES = [
  ['query', 'find passages'],
  ['chat', 'ask for answers'],
  ['feedback', 'rate answers'],
  ['documents:read', 'read documents'],
  ['documents:write', 'add and delete documents'],
] as const;

/** The scopes of a service account's key. */
export const MANAGEMENT_SCOPES = [
  ['kbs:write', 'manage knowledge bases'],
  ['documents:write', 'change documents and sources'],
  ['keys:read', 'see API keys'],
  ['keys:rotate', 'rotate API keys'],
  ['keys:write', 'manage API keys'],
  ['settings:write', 'change settings and webhooks'],
  ['members:write', 'change members'],
  ['audit:read', 'read the audit'],
  ['analytics:read', 'read analytics'],
] as const;

export type Scope = (typeof SCOPES)[number][0];
export type ManagementScope = (typeof MANAGEMENT_SCOPES)[number][0];

/** The scopes of a key, or of an agent that is connected to one, in words. */
export function scopeWords({
  scopes,
  service_account_id = null,
}: Pick<ApiKey | Connection, 'scopes'> & Partial<Pick<ApiKey, 'service_account_id'>>): string {
  const words = new Map<string, string>(service_account_id === null ? SCOPES : MANAGEMENT_SCOPES);
  return scopes.map((scope) => words.get(scope) ?? scope).join(', ');
}

export function ScopesField(props: {
  choices: readonly (readonly [scope: string, words: string])[];
  /** The scopes that are chosen at first. */
  chosen: readonly string[];
}) {
  return (
    <fieldset>
      <legend>Scopes</legend>
      {props.choices.map(([scope, words]) => (
        <label key={scope} class="check">
          <input
            type="checkbox"
            name="scopes"
            value={scope}
            defaultChecked={props.chosen.includes(scope)}
          />
          <span>
            {words} <code class="quiet">{scope}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export const readScopes = (form: HTMLFormElement) => new FormData(form).getAll('scopes');
