import { Badge, number, Time } from '../src/components/basics.js';
import { useIdempotencyKey } from '../src/idempotency.js';
import { scopeWords } from '../src/components/scopes.js';
import { call, PortalError, type Rotation, type View } from './api.js';
import { Agents } from './agents.js';
import { Ask } from './ask.js';
import { Limits } from './limits.js';
import { Requests } from './requests.js';
import { dateTime, duration } from './words.js';

interface Props {
  readonly view: View;
  readonly reload: () => Promise<void>;
  readonly onRotated: (rotated: Rotation) => void;
  /** Shows that the key or the session has ended. */
  readonly onEnded: (error: unknown) => void;
}

/** Everything that the holder of a key sees and does. */
export function KeyPage({ view, reload, onRotated, onEnded }: Props) {
  const { key } = view;
  const isReplaced = view.replaced_until !== null;
  return (
    <>
      <header>
        <h1 dir="auto">{key.name}</h1>
        <p class="quiet">
          {view.recipient !== null && (
            <>
              For <bdi>{view.recipient}</bdi>.{' '}
            </>
          )}
          This page can be used until {dateTime(view.session_ends_at)}.
        </p>
      </header>
      {key.notices
        .filter(({ code }) => code !== 'replaced')
        .map(({ code, message }) => (
          <p key={code} class="alert">
            {message}
          </p>
        ))}
      <dl class="facts">
        <dt>Prefix</dt>
        <dd>
          <code>{view.prefix}…</code>{' '}
          {view.replaced_until === null ? (
            <Badge kind="ready">active</Badge>
          ) : (
            <Badge kind="pending">being replaced</Badge>
          )}
        </dd>
        <dt>May</dt>
        <dd>{scopeWords({ scopes: key.scopes } as Parameters<typeof scopeWords>[0])}</dd>
        <dt>Opens</dt>
        <dd>
          {key.kbs.length === 1
            ? 'one knowledge base'
            : `${number(key.kbs.length)} knowledge bases`}
        </dd>
        {key.sender_constraint !== null && (
          <>
            <dt>Bound to</dt>
            <dd>your key pair, of which each request needs a proof</dd>
          </>
        )}
        <dt>Expires</dt>
        <dd>
          <Time at={key.expires_at} />
        </dd>
      </dl>
      <Requests link={view.link_id} total={key.usage_30d.requests} onEnded={onEnded} />
      <Limits limits={key.limits} remaining={key.remaining} />
      {view.replaced_until !== null ? (
        <section aria-label="Rotation">
          <h2>Rotation</h2>
          <p>
            This key was rotated: it works until {dateTime(view.replaced_until)}, and its successor
            takes over. A successor that was lost is not shown again: ask whoever gave you the key.
          </p>
          <p>
            If you did not rotate it and nobody told you, somebody else may have the key: end it
            now, and tell whoever gave it to you, who can revoke its successor too.
          </p>
        </section>
      ) : (
        view.rotation_grace_seconds !== null && (
          <Rotate
            link={view.link_id}
            graceSeconds={view.rotation_grace_seconds}
            onRotated={(rotation) => {
              onRotated(rotation);
              if (view.rotation_grace_seconds !== 0) void reload();
              else onEnded(new PortalError('api_key_expired', 'The new one takes over.'));
            }}
            onEnded={onEnded}
          />
        )
      )}
      {view.has_agents && <Agents view={view} reload={reload} onEnded={onEnded} />}
      <section aria-label="End this key" class="end">
        <h2>{isReplaced ? 'End the old key' : 'End this key'}</h2>
        <p>
          If somebody else may have it, or nothing uses it any more: every request with it is
          refused from then on, at once.{' '}
          {key.connections.length > 0 && 'Agents that are connected to it stop too. '}
          This cannot be undone.
        </p>
        <Ask
          action={isReplaced ? 'End the old key now' : 'End this key now'}
          question={`End ${isReplaced ? `the old key, ${view.prefix}…,` : key.name} now?`}
          isDangerous
          run={async () => {
            await call('POST', 'revoke', { link: view.link_id });
            onEnded(new PortalError('api_key_revoked', 'You have ended it.'));
          }}
          onEnded={onEnded}
        >
          <p>
            Every request with it is refused from then on. A key that has ended cannot be used
            again.
          </p>
        </Ask>
      </section>
    </>
  );
}

function Rotate(props: {
  link: string;
  graceSeconds: number;
  onRotated: (rotation: Rotation) => void;
  onEnded: (error: unknown) => void;
}) {
  const { graceSeconds } = props;
  const idempotencyKey = useIdempotencyKey();
  const isAtOnce = graceSeconds === 0;
  return (
    <section aria-label="Rotation">
      <h2>Rotation</h2>
      <p>
        {isAtOnce
          ? 'You get a new key with the same rights, and your old one stops at once.'
          : `You get a new key with the same rights. Your old one works for another ${duration(graceSeconds)}, so that you can change over without a gap.`}
      </p>
      <Ask
        action="Rotate…"
        question="Rotate this key?"
        confirm="Rotate key"
        run={async () => {
          // After a lost answer the same successor is given again, with a new secret.
          const headers = idempotencyKey({});
          props.onRotated(await call<Rotation>('POST', 'rotate', { headers, link: props.link }));
        }}
        onEnded={props.onEnded}
      >
        <p>
          The new key is shown once, here. Have the place ready where you keep it.
          {isAtOnce && ' Your program is refused until it has the new one.'}
        </p>
      </Ask>
    </section>
  );
}
