import { PageHeader } from '../components/page-header.js';
import { Link } from '../routing.js';
import { useShared } from '../load.js';

/** A knowledge base that does not exist, or that the user may not see, or not any more. */
export function NoAccess() {
  const { user, signOut } = useShared();
  return (
    <>
      <PageHeader
        title="No access"
        lead="You have no access to this knowledge base, or it was deleted."
      />
      <p>
        Ask one of its owners to add you, or to send you an invitation.
        {user !== undefined && (
          <>
            {' '}
            Here you are known as <code>{user}</code>.
          </>
        )}
      </p>
      <p class="actions">
        <Link href="/" class="button primary">
          All knowledge bases
        </Link>
        {user !== undefined && (
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        )}
      </p>
    </>
  );
}
