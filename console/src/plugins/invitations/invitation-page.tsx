import { LatchkeyError } from '@latchkey/client';
import { useLocation } from 'wouter-preact';
import { Alert, Loading, Time } from '../../components/basics.js';
import { PageHeader } from '../../components/page-header.js';
import { ROLES } from '../../components/role-field.js';
import { useChange, useLoad, useShared } from '../../load.js';
import { Link, useHashLocation } from '../../routing.js';
import { useTitle } from '../../title.js';

/** Why a link opens nothing, by what the service says. */
const REASONS: Record<string, string> = {
  used: 'It was accepted before, by as many people as it was for.',
  expired: 'It has expired.',
  withdrawn: 'It was withdrawn.',
  maker_left: 'Whoever sent it does not own the knowledge base any more.',
};

/** What an invitation opens, and the button that accepts it. The link has its token after `#`, which no log gets. */
export function InvitationPage() {
  useTitle('Invitation');
  const token = useHashLocation();
  const { api, user, notify, signOut } = useShared();
  const [, go] = useLocation();
  const preview = useLoad(
    (api, signal) => api.post('/api/v1/invitations/preview', { body: { token }, signal }),
    `invitation ${token}`,
  );
  const accept = useChange(async () => {
    const { kb_id, role } = await api.post('/api/v1/invitations/accept', { body: { token } });
    notify(`You are ${role} now.`);
    go(`/kbs/${kb_id}/overview`, { replace: true });
  });
  const error = accept.error ?? preview.error;
  if (isEnded(error)) return <Ended error={error} />;
  const { value } = preview;
  if (!value) {
    return (
      <>
        <PageHeader title="Invitation" />
        <Loading error={error} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={value.kb_name}
        lead={
          <>
            <strong>{value.created_by}</strong> invites you to this knowledge base.
          </>
        }
      />
      <dl class="facts">
        <dt>Role</dt>
        <dd>
          {value.role}. {ROLES.find(([role]) => role === value.role)?.[1]}
        </dd>
        <dt>Ends</dt>
        <dd>
          <Time at={value.expires_at} />
        </dd>
        {user !== undefined && (
          <>
            <dt>You</dt>
            <dd>
              {user}. To accept it as somebody else,{' '}
              <button type="button" class="link" onClick={signOut}>
                sign out
              </button>{' '}
              and open the link again.
            </dd>
          </>
        )}
      </dl>
      {value.current_role !== null && (
        <p>You are {value.current_role} already. A higher role is kept.</p>
      )}
      <Alert error={accept.error} />
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={accept.busy}
          onClick={() => void accept.run()}
        >
          Accept the invitation
        </button>
        <Link href="/" class="button">
          Not now
        </Link>
      </p>
    </>
  );
}

/** The token of a link that was cut off is no token at all. */
const isEnded = (error: unknown) =>
  error instanceof LatchkeyError && ['invitation_ended', 'validation_failed'].includes(error.code);

function Ended({ error }: { error: unknown }) {
  const reason = error instanceof LatchkeyError ? error.problem?.reason : undefined;
  return (
    <>
      <PageHeader
        title="This invitation opens nothing"
        lead={
          REASONS[reason ?? ''] ?? 'There is no such invitation. The link may have been cut off.'
        }
      />
      <p>Ask whoever sent it for a new link.</p>
      <p class="actions">
        <Link href="/" class="button">
          All knowledge bases
        </Link>
      </p>
    </>
  );
}
