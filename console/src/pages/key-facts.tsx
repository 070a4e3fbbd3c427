import type { components } from '@latchkey/client';
import { useKnowledgeBases } from '../all-knowledge-bases.js';
import type { ApiKey } from '../api.js';
import { Badge, number, plural, Time } from '../components/basics.js';
import { entriesWords } from '../access-words.js';
import { budgetWords } from '../components/budget-fields.js';
import { scopeWords } from '../components/scopes.js';
import { Link } from '../routing.js';
import { Sparkline } from '../components/usage.js';

type Usage = components['schemas']['ApiKeyUsageDto'];

const LIST = new Intl.ListFormat('en');
const VIOLATIONS: Record<ApiKey['policy_violations'][number], string> = {
  max_age_exceeded: 'lives longer than allowed',
  expiry_required: 'never expires',
  addresses_required: 'works from any address',
};

export function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const state = !apiKey.active
    ? apiKey.state === 'deactivated'
      ? 'revoked'
      : 'expired'
    : apiKey.rotated_to === null
      ? 'active'
      : 'being replaced';
  return (
    <>
      <Badge kind={apiKey.active ? 'ready' : 'failed'}>{state}</Badge>
      {apiKey.environment === 'test' && <Badge kind="pending">test</Badge>}
      {apiKey.policy_violations.length > 0 && <Badge kind="failed">against the policy</Badge>}
    </>
  );
}

export function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  return (
    <dl class="facts">
      <dt>Prefix</dt>
      <dd>
        <code>{apiKey.prefix}…</code> <KeyState apiKey={apiKey} />
      </dd>
      {apiKey.policy_violations.length > 0 && (
        <>
          <dt class="wrong">Policy</dt>
          <dd>
            Not met: it {LIST.format(apiKey.policy_violations.map((each) => VIOLATIONS[each]))}.
          </dd>
        </>
      )}
      {apiKey.description !== null && (
        <>
          <dt>Description</dt>
          <dd>{apiKey.description}</dd>
        </>
      )}
      <dt>Scopes</dt>
      <dd>{scopeWords(apiKey)}</dd>
      {apiKey.kbs.length > 1 && (
        <>
          <dt>Opens</dt>
          <dd>
            <OpenedKnowledgeBases kbs={apiKey.kbs} />
          </dd>
        </>
      )}
      {apiKey.filter !== null && (
        <>
          <dt>Only documents</dt>
          <dd>
            <code>{JSON.stringify(apiKey.filter)}</code>
          </dd>
        </>
      )}
      {apiKey.principals.length > 0 && (
        <>
          <dt>Reads as</dt>
          <dd>{entriesWords(apiKey.principals)}</dd>
        </>
      )}
      {apiKey.allowed_ips !== null && (
        <>
          <dt>Addresses</dt>
          <dd>{apiKey.allowed_ips.join(', ')}</dd>
        </>
      )}
      {apiKey.rate_limit_per_minute !== null && (
        <>
          <dt>Rate limit</dt>
          <dd>{plural(apiKey.rate_limit_per_minute, 'request')} a minute</dd>
        </>
      )}
      {apiKey.rate_limit_per_end_user !== null && (
        <>
          <dt>Each end user</dt>
          <dd>{plural(apiKey.rate_limit_per_end_user, 'request')} a minute</dd>
        </>
      )}
      {apiKey.budget !== null && (
        <>
          <dt>Budget</dt>
          <dd>{budgetWords(apiKey.budget)}, shared with keys that replace it</dd>
        </>
      )}
      {apiKey.self_rotation !== null && (
        <>
          <dt>Rotation</dt>
          <dd>Its holder may rotate it with the key itself</dd>
        </>
      )}
      {apiKey.sender_constraint !== null && (
        <>
          <dt>Bound to</dt>
          <dd>
            The key pair <code>{apiKey.sender_constraint.jkt}</code>, which each request has to
            prove
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Time at={apiKey.created_at} /> by {apiKey.created_by}
      </dd>
      <dt>Last used</dt>
      <dd>
        <Time at={apiKey.last_used_at} />
      </dd>
      <dt>Expires</dt>
      <dd>
        <Time at={apiKey.expires_at} />
      </dd>
      {apiKey.revoked_at !== null && (
        <>
          <dt>Revoked</dt>
          <dd>
            <Time at={apiKey.revoked_at} /> by {apiKey.revoked_by}
          </dd>
        </>
      )}
    </dl>
  );
}

/** The knowledge bases of a key, the main one first. */
function OpenedKnowledgeBases({ kbs }: Pick<ApiKey, 'kbs'>) {
  const known = useKnowledgeBases().value;
  return (
    <>
      {kbs.map(({ kb_id }) => (
        <div key={kb_id}>
          <Link href={`/kbs/${kb_id}/keys`} dir="auto">
            {known?.find(({ id }) => id === kb_id)?.name ?? kb_id}
          </Link>
        </div>
      ))}
    </>
  );
}

export function UsageFacts({ usage, days }: { usage: Usage; days: readonly number[] | undefined }) {
  return (
    <dl class="facts">
      <dt>Requests</dt>
      <dd>
        {number(usage.requests_24h)} in 24 hours, {number(usage.requests_30d)} in 30 days
      </dd>
      {days && (
        <>
          <dt>Questions</dt>
          <dd>
            <Sparkline days={days} />
          </dd>
        </>
      )}
      <dt>Last address</dt>
      <dd>
        {usage.last_ip ?? 'none yet'}
        {usage.distinct_ips_24h > 1 &&
          ` and ${plural(usage.distinct_ips_24h - 1, 'other address', 'other addresses')} in 24 hours`}
      </dd>
      {usage.refused_uses_since_revoked > 0 && (
        <>
          <dt class="wrong">Tried after it ended</dt>
          <dd>
            {plural(usage.refused_uses_since_revoked, 'time')}, last{' '}
            <Time at={usage.last_refused_at} /> from {usage.last_refused_ip}
          </dd>
        </>
      )}
    </dl>
  );
}
