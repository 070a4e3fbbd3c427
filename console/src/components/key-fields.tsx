import type { Filter } from '@latchkey/client';
import { linesOf } from '../access-words.js';
import type { ApiKey } from '../api.js';
import { useLoad, useShared } from '../load.js';
import { BudgetFields, budgetOf } from './budget-fields.js';
import { ExpiryField, expiryOf } from './expiry-field.js';
import { fieldsOf, Input, jsonOf, TextArea, toNumber } from './field.js';
import {
  MANAGEMENT_SCOPES,
  type ManagementScope,
  type Scope,
  SCOPES,
  ScopesField,
  scopesOf,
} from './scopes.js';

const DEFAULT_SCOPES: readonly Scope[] = ['query', 'chat', 'feedback'];

/** @param environment of the key; `admin` for those of service accounts */
function AddressesField(props: {
  apiKey: ApiKey | undefined;
  environment: string;
  error: unknown;
}) {
  const { apiKey, error } = props;
  const { keyPolicy } = useShared();
  // A key from before the policy can still be changed otherwise.
  const isRequired =
    keyPolicy.require_addresses.includes(props.environment) && apiKey?.allowed_ips !== null;
  return (
    <Input
      label="Addresses"
      name="allowed_ips"
      required={isRequired}
      defaultValue={apiKey?.allowed_ips?.join(' ') ?? ''}
      error={error}
      hint={`Such as 203.0.113.0/24, with spaces between them${isRequired ? '' : '; any, if left empty'}`}
    />
  );
}

function DescriptionField({ apiKey, error }: { apiKey: ApiKey | undefined; error: unknown }) {
  return (
    <Input
      label="Description"
      name="description"
      maxLength={1000}
      defaultValue={apiKey?.description ?? ''}
      error={error}
    />
  );
}

/**
 * The scopes, expiry and limits of a key; of a new one, or of `apiKey`.
 *
 * @param environment of the key
 * @param kbs the ids of those that it opens: each may limit how long
 */
export function KeyFields(props: {
  apiKey?: ApiKey;
  environment: string;
  kbs: readonly string[];
  error: unknown;
}) {
  const { apiKey, environment, kbs, error } = props;
  const { keyPolicy } = useShared();
  const { value: settings = [] } = useLoad(
    (api, signal) =>
      Promise.all(
        kbs.map((kb_id) => api.get('/api/v1/kbs/{kb_id}/settings', { path: { kb_id }, signal })),
      ),
    `settings ${kbs.join(' ')}`,
  );
  const ages = [
    keyPolicy.max_age_days,
    ...settings.map(({ key_max_age_days: days }) => days),
  ].filter((days) => days !== null);
  return (
    <>
      <ScopesField choices={SCOPES} chosen={apiKey?.scopes ?? DEFAULT_SCOPES} />
      <ExpiryField
        apiKey={apiKey}
        maxAgeDays={ages.length > 0 ? Math.min(...ages) : null}
        isRequired={keyPolicy.require_expiry.includes(environment)}
        error={error}
      />
      <details open={apiKey !== undefined || keyPolicy.require_addresses.includes(environment)}>
        <summary>More limits</summary>
        <Input
          label="Requests per minute"
          name="rate_limit_per_minute"
          type="number"
          min={1}
          max={1_000_000}
          defaultValue={apiKey?.rate_limit_per_minute ?? ''}
          error={error}
          hint="As in the settings, if left empty"
        />
        <Input
          label="Requests per end user"
          name="rate_limit_per_end_user"
          type="number"
          min={1}
          max={1_000_000}
          defaultValue={apiKey?.rate_limit_per_end_user ?? ''}
          error={error}
          hint="Per minute; as in the settings, if left empty"
        />
        <BudgetFields
          legend="Budget"
          budget={apiKey?.budget ?? null}
          error={error}
          hint="Of the key and those that replace it; any, if left empty"
        />
        <AddressesField apiKey={apiKey} environment={environment} error={error} />
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
        <TextArea
          label="Reads as"
          name="principals"
          rows={2}
          defaultValue={apiKey?.principals.join('\n') ?? ''}
          error={error}
          hint={
            <>
              One per line, <code>group:support</code> or <code>user:anna</code>: documents with a
              rule are read in their name. Client tokens of the key read as their end user and its
              groups instead
            </>
          }
        />
        <DescriptionField apiKey={apiKey} error={error} />
      </details>
    </>
  );
}

/** What was typed there, of a new key or of `apiKey`; null where a field is empty. */
export function keyFieldsOf(form: HTMLFormElement, apiKey?: ApiKey) {
  const fields = fieldsOf(form);
  const { filter } = fields;
  return {
    scopes: scopesOf(form) as Scope[],
    ...commonFieldsOf(fields, apiKey),
    rate_limit_per_minute: toNumber(fields['rate_limit_per_minute']),
    rate_limit_per_end_user: toNumber(fields['rate_limit_per_end_user']),
    budget: budgetOf(fields),
    filter: filter === undefined ? null : (jsonOf(filter, 'The filter') as Filter),
    principals: linesOf(fields['principals']),
  };
}

/** The same of a service account's key, whose scopes stay as they are. */
export function ManagementKeyFields({ apiKey, error }: { apiKey?: ApiKey; error: unknown }) {
  const { keyPolicy } = useShared();
  return (
    <>
      {apiKey === undefined && <ScopesField choices={MANAGEMENT_SCOPES} chosen={[]} />}
      <ExpiryField
        apiKey={apiKey}
        maxAgeDays={keyPolicy.max_age_days}
        isRequired={keyPolicy.require_expiry.includes('admin')}
        initial={90}
        error={error}
      />
      <AddressesField apiKey={apiKey} environment="admin" error={error} />
      {apiKey !== undefined && <DescriptionField apiKey={apiKey} error={error} />}
    </>
  );
}

export const managementScopesOf = (form: HTMLFormElement) => scopesOf(form) as ManagementScope[];

/** What keys of both kinds have. */
export function commonFieldsOf(fields: Record<string, string>, apiKey?: ApiKey) {
  const { description = null, allowed_ips } = fields;
  return {
    description,
    expires_at: expiryOf(fields, apiKey?.expires_at),
    allowed_ips: allowed_ips === undefined ? null : allowed_ips.trim().split(/[\s,]+/),
  };
}
