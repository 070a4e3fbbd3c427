import type { Filter } from '@latchkey/client';
import { splitLines } from '../access-words.js';
import type { ApiKey } from '../api.js';
import { useLoad, useShared } from '../load.js';
import { BudgetFields, readBudget } from './budget-fields.js';
import { ExpiryField, readExpiry } from './expiry-field.js';
import { readFields, Input, parseJson, Select, TextArea, toNumber } from './field.js';
import { GRACES } from './graces.js';
import {
  MANAGEMENT_SCOPES,
  type ManagementScope,
  type Scope,
  SCOPES,
  ScopesField,
  readScopes,
} from './scopes.js';

const DEFAULT_SCOPES: readonly Scope[] = ['query', 'chat', 'feedback'];

/** @param environment the environment of the key; `admin` for keys of service accounts */
function AddressesField(props: {
  apiKey: ApiKey | undefined;
  environment: string;
  error: unknown;
}) {
  const { apiKey, error } = props;
  const { keyPolicy } = useShared();
  // Other fields of a key that is older than the policy can still be changed.
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
 * The fields for scopes, expiry and limits of a new key, or of `apiKey`.
 *
 * @param environment the environment of the key
 * @param kbs the ids of its knowledge bases, each of which may limit its age
 */
export function KeyFields(props: {
  apiKey?: ApiKey;
  environment: string;
  kbs: readonly string[];
  error: unknown;
}) {
  const { apiKey, environment, kbs, error } = props;
  const { keyPolicy, isRunning } = useShared();
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
        {isRunning('key-holders') && <SelfRotationField apiKey={apiKey} error={error} />}
        {isRunning('sender-constraints') && (
          <Input
            label="Bound to a key pair"
            name="sender_constraint.jkt"
            defaultValue={apiKey?.sender_constraint?.jkt ?? ''}
            error={error}
            hint="The thumbprint (RFC 7638) of the public key: each request then needs a proof (DPoP)"
          />
        )}
        <DescriptionField apiKey={apiKey} error={error} />
      </details>
    </>
  );
}

/** Whether the holder may rotate the key; of a key that has another time of grace also that. */
function SelfRotationField({ apiKey, error }: { apiKey: ApiKey | undefined; error: unknown }) {
  const own = apiKey?.self_rotation?.grace_seconds;
  const isListed = GRACES.some(([seconds]) => seconds === own);
  return (
    <Select
      label="May the holder rotate it?"
      name="self_rotation"
      initial={own === undefined ? '' : String(own)}
      error={error}
      hint="With the key itself, at POST /key/rotate"
    >
      <option value="">No, only members</option>
      {GRACES.map(([seconds, words]) => (
        <option key={seconds} value={seconds}>
          Yes; the old key then stops {words}
        </option>
      ))}
      {own !== undefined && !isListed && (
        <option value={own}>Yes; the old key then stops in {own} seconds</option>
      )}
    </Select>
  );
}

/** Reads the fields of a new key or of `apiKey`; an empty field is null. */
export function readKeyFields(form: HTMLFormElement, apiKey?: ApiKey) {
  const fields = readFields(form);
  const { filter } = fields;
  return {
    scopes: readScopes(form) as Scope[],
    ...readCommonFields(fields, apiKey),
    rate_limit_per_minute: toNumber(fields['rate_limit_per_minute']),
    rate_limit_per_end_user: toNumber(fields['rate_limit_per_end_user']),
    budget: readBudget(fields),
    filter: filter === undefined ? null : (parseJson(filter, 'The filter') as Filter),
    principals: splitLines(fields['principals']),
    self_rotation: readSelfRotation(form, fields, apiKey),
    sender_constraint: readSenderConstraint(form, fields, apiKey),
  };
}

/** As it is where the field is not shown. */
function readSelfRotation(
  form: HTMLFormElement,
  { self_rotation: seconds }: Record<string, string>,
  apiKey: ApiKey | undefined,
) {
  if (!form.elements.namedItem('self_rotation')) return apiKey?.self_rotation ?? null;
  return seconds === undefined ? null : { grace_seconds: Number(seconds) };
}

/** As it is where the field is not shown. */
function readSenderConstraint(
  form: HTMLFormElement,
  { 'sender_constraint.jkt': jkt }: Record<string, string>,
  apiKey: ApiKey | undefined,
) {
  if (!form.elements.namedItem('sender_constraint.jkt')) return apiKey?.sender_constraint ?? null;
  return jkt === undefined ? null : { type: 'dpop' as const, jkt: jkt.trim() };
}

/** The fields of a service account's key, whose scopes cannot be changed. */
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

export const readManagementScopes = (form: HTMLFormElement) =>
  readScopes(form) as ManagementScope[];

/** Reads the fields that keys of both kinds have. */
export function readCommonFields(fields: Record<string, string>, apiKey?: ApiKey) {
  const { description = null, allowed_ips } = fields;
  return {
    description,
    expires_at: readExpiry(fields, apiKey?.expires_at),
    allowed_ips: allowed_ips === undefined ? null : allowed_ips.trim().split(/[\s,]+/),
  };
}
