import { useEffect, useState } from 'preact/hooks';
import { call, PortalError, type Rotation, type ShownLink, type View } from './api.js';
import { KeyPage } from './key-page.js';
import { NewKey } from './new-key.js';
import { dateTime } from './words.js';

/** What the address has after `#`, which browsers send to nobody by themselves. */
const TOKEN = /^#([\w-]{43})$/;

type Shown =
  | { readonly step: 'loading' }
  | { readonly step: 'link'; readonly token: string; readonly link: ShownLink }
  | { readonly step: 'key'; readonly view: View }
  | { readonly step: 'ended'; readonly problem: PortalError };

/** The portal, in which the holder of a key looks after it. */
export function Portal() {
  const [shown, setShown] = useState<Shown>({ step: 'loading' });
  // It is shown whatever happens to the rest of the page, since nobody can see it again.
  const [rotated, setRotated] = useState<Rotation>();
  const fail = (error: unknown) => {
    if (!(error instanceof PortalError)) throw error;
    setShown({ step: 'ended', problem: error });
  };
  const showKey = async () => {
    const view = await call<View>('GET', 'session');
    setShown({ step: 'key', view });
  };
  const reload = () => showKey().catch(fail);
  const start = async () => {
    const [, token] = TOKEN.exec(location.hash) ?? [];
    if (token === undefined) return showKey();
    const link = await call<ShownLink>('POST', 'link', { body: { token } });
    setShown({ step: 'link', token, link });
  };
  const open = async (token: string) => {
    await call('POST', 'session', { body: { token } });
    // A link that was opened is of no use to whoever reads the history of the browser.
    history.replaceState(null, '', location.pathname);
    await showKey();
  };
  useEffect(() => {
    const begin = () => void start().catch(fail);
    begin();
    // Another link was pasted into the same tab.
    addEventListener('hashchange', begin);
    return () => {
      removeEventListener('hashchange', begin);
    };
  }, []);
  return (
    <main class="portal">
      <p class="brand">
        <Mark />
        Latchkey
      </p>
      {shown.step === 'loading' && (
        <div class="skeleton" role="status" aria-busy="true">
          <span class="unseen">Loading…</span>
          <i />
          <i />
        </div>
      )}
      {shown.step === 'link' && (
        <LinkPage link={shown.link} onOpen={() => open(shown.token).catch(fail)} />
      )}
      {shown.step === 'key' && (
        <KeyPage view={shown.view} reload={reload} onRotated={setRotated} onEnded={fail} />
      )}
      {shown.step === 'ended' && (
        <Ended problem={shown.problem} isReplaced={rotated !== undefined} onRetry={reload} />
      )}
      {rotated && <NewKey rotated={rotated} />}
    </main>
  );
}

/** Asks before the link is opened: programs that look at links in mails press no button. */
function LinkPage({ link, onOpen }: { link: ShownLink; onOpen: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  return (
    <>
      <h1>Look after an API key</h1>
      <dl class="facts">
        <dt>Key</dt>
        <dd dir="auto">{link.key_name}</dd>
        {link.recipient !== null && (
          <>
            <dt>Made out to</dt>
            <dd dir="auto">{link.recipient}</dd>
          </>
        )}
        <dt>Open it until</dt>
        <dd>{dateTime(link.expires_at)}</dd>
      </dl>
      <p>
        The link works once: it opens the key in this browser, for 30 minutes.
        {link.recipient !== null && ' If you are somebody else, leave it unopened.'}
      </p>
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => {
            setBusy(true);
            void onOpen();
          }}
        >
          Open
        </button>
      </p>
    </>
  );
}

const ENDS: Readonly<Record<string, string>> = {
  api_key_revoked: 'The key was revoked',
  api_key_expired: 'The key has expired',
  invalid_api_key: 'The key was deleted',
  portal_link_ended: 'This link no longer opens anything',
  portal_session_required: 'No key is open in this browser',
};

function Ended(props: {
  problem: PortalError;
  /** Whether a new key is shown on the same page. */
  isReplaced: boolean;
  onRetry: () => Promise<void>;
}) {
  const { problem, isReplaced, onRetry } = props;
  const { code, openedAt } = problem;
  const title = ENDS[code];
  if (title === undefined) {
    return (
      <>
        <h1>That did not work</h1>
        <p class="alert" role="alert">
          {problem.message}
        </p>
        <p class="actions">
          <button type="button" onClick={() => void onRetry()}>
            Try again
          </button>
        </p>
      </>
    );
  }
  return (
    <>
      <h1>{title}</h1>
      {openedAt === undefined ? (
        <p role="alert">{problem.message}</p>
      ) : (
        <p class="alert" role="alert">
          It was opened on {dateTime(openedAt)}. If that was not you, tell whoever sent it to you at
          once: somebody else may have seen the key’s page.
        </p>
      )}
      {!isReplaced && (
        <p>
          {code.startsWith('portal_')
            ? 'Each link opens once, for 30 minutes. Ask whoever gave you the key for a new one.'
            : 'Requests with it are refused. Ask whoever gave you the key for a new one.'}
        </p>
      )}
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <circle cx="12" cy="16" r="5" />
      <path d="M17 16h10m-3 0v5" />
    </svg>
  );
}
