import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.js';
import { Alert } from '../components/basics.js';
import { readFields, Input } from '../components/field.js';
import type { Session } from '../session-types.js';

interface Props {
  readonly session: Session;
  /** Whether a session has ended, so that the page beneath must be kept. */
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
      <h1>
        <img src="/console/icon.svg" alt="" /> Sign in to Latchkey
      </h1>
      <Form {...props} />
    </main>
  );
}

function Form({ session, again, onSignedIn }: Props) {
  const [attempt, setAttempt] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const waiting = useRef<AbortController>();
  useEffect(
    () => () => {
      waiting.current?.abort();
    },
    [],
  );
  const signIn = async (user: string | undefined) => {
    // A user who has closed the window may open another one.
    waiting.current?.abort();
    const leaving = new AbortController();
    waiting.current = leaving;
    setAttempt({ busy: true });
    try {
      await session.signIn(user, leaving.signal);
      if (!leaving.signal.aborted) onSignedIn();
    } catch (error) {
      if (!leaving.signal.aborted) setAttempt({ busy: false, error });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void signIn(readFields(event.currentTarget)['user']);
      }}
    >
      {session.mode === 'trust' && (
        <Input
          label="User id"
          name="user"
          required
          pattern="[!-~]{1,255}"
          autocomplete="username"
          autofocus
          hint="Any name without spaces, such as alice."
        />
      )}
      <Alert error={attempt.error} />
      {attempt.busy && again && (
        <p role="status">Sign in in the window that has opened. This page then goes on.</p>
      )}
      <button class="primary">{attempt.busy && again ? 'Open the window again' : 'Sign in'}</button>
      {session.mode === 'trust' && (
        <p class="quiet">
          This is development mode: the service believes every user id. Set{' '}
          <code>DASHBOARD_AUTH_MODE</code> before others use it.
        </p>
      )}
    </form>
  );
}
