import { Dialog } from '../components/dialog.js';
import { Alert } from '../components/basics.js';
import { fieldsOf, Input } from '../components/field.js';
import { useChange } from '../load.js';
import type { Session } from '../session.js';

interface Props {
  readonly session: Session;
  /** The session is over, and the page beneath has something to lose. */
  readonly again: boolean;
  readonly onSignedIn: () => void;
}

export function SignIn(props: Props) {
  return props.again ? (
    <Dialog title="Sign in again" onClose={() => undefined} persistent>
      <p>Your session is over. What you have typed stays here.</p>
      <Form {...props} />
    </Dialog>
  ) : (
    <main id="content" class="sign-in">
      <h1>Sign in</h1>
      <Form {...props} />
    </main>
  );
}

function Form({ session, onSignedIn }: Props) {
  const { run, busy, error } = useChange(async (user?: string) => {
    await session.signIn(user);
    onSignedIn();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(fieldsOf(event.currentTarget)['user']);
      }}
    >
      {session.mode === 'trust' && (
        <>
          <Input
            label="User id"
            name="user"
            required
            pattern="[!-~]{1,255}"
            autocomplete="username"
            autofocus
            hint="Any name will do, such as alice. It may not have spaces."
          />
          <p class="quiet">
            This service runs in development mode: it believes every user id. Set
            DASHBOARD_AUTH_MODE before others use it.
          </p>
        </>
      )}
      <Alert error={error} />
      <button class="primary" disabled={busy}>
        {session.mode === 'gateway' ? 'Go to the sign-in page' : 'Sign in'}
      </button>
    </form>
  );
}
