import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Link, Route, Router, Switch } from 'wouter-preact';
import { connect, connectForFiles, isAway, isSignedOut } from './api.js';
import { lazyPage } from './components/lazy-page.js';
import { SharedContext } from './load.js';
import { KnowledgeBasePage } from './pages/knowledge-base.js';
import { KnowledgeBasesPage } from './pages/knowledge-bases.js';
import { SignIn } from './pages/sign-in.js';
import type { Session } from './session-types.js';

const EventsPage = lazyPage(() => import('./pages/audit.js').then((m) => m.EventsPage));

const ServiceAccountsPage = lazyPage(() =>
  import('./pages/service-accounts.js').then((m) => m.ServiceAccountsPage),
);
const ServiceAccountPage = lazyPage(() =>
  import('./pages/service-account.js').then((m) => m.ServiceAccountPage),
);

const RETRY_MS = 2000;
const NOTICE_MS = 5000;

export function App({ session }: { session: Session }) {
  const [epoch, setEpoch] = useState(0);
  const [state, setState] = useState<'ready' | 'away' | 'signed-out'>(
    session.isSignedIn ? 'ready' : 'signed-out',
  );
  const [notice, setNotice] = useState('');
  const api = useMemo(() => connect(session), [session]);
  const timer = useRef<number>();
  const shared = useMemo(
    () => ({
      api,
      user: session.user,
      forFiles: (fetch?: typeof globalThis.fetch) => connectForFiles(session, fetch),
      epoch,
      report: (error: unknown) => {
        if (isSignedOut(error)) setState('signed-out');
        else if (isAway(error)) setState('away');
      },
      notify: (text: string) => {
        setNotice(text);
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => {
          setNotice('');
        }, NOTICE_MS);
      },
    }),
    [api, epoch],
  );
  useEffect(() => {
    if (state !== 'away') return;
    const retry = setInterval(() => {
      void fetch('/health/ready').then(
        ({ ok }) => {
          if (!ok) return;
          setState('ready');
          setEpoch((old) => old + 1);
        },
        () => undefined,
      );
    }, RETRY_MS);
    return () => {
      clearInterval(retry);
    };
  }, [state]);
  const signedIn = () => {
    setState('ready');
    setEpoch((old) => old + 1);
  };
  // What was typed stays on the page beneath while the user signs in again.
  const wasSignedIn = useRef(session.isSignedIn);
  wasSignedIn.current ||= state === 'ready';
  return (
    <SharedContext.Provider value={shared}>
      <Router base="/console">
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <Link href="/" class="brand">
            <img src="/console/icon.svg" alt="" width="24" height="24" /> Latchkey
          </Link>
          <nav aria-label="Service">
            <Link href="/service-accounts">Service accounts</Link>
            <Link href="/audit">Audit</Link>
            <a href="/docs">API</a>
          </nav>
          {session.user !== undefined && state !== 'signed-out' && (
            <div class="account">
              <span title={session.user}>{session.user}</span>
              <button
                type="button"
                class="link"
                onClick={() => {
                  void session.signOut().then(() => {
                    location.assign('/console/');
                  });
                }}
              >
                Sign out
              </button>
            </div>
          )}
        </header>
        {state === 'away' && (
          <p class="banner" role="alert">
            The service does not answer. What you see may be old; this page goes on by itself as
            soon as it is back.
          </p>
        )}
        {state === 'signed-out' && (
          <SignIn session={session} again={wasSignedIn.current} onSignedIn={signedIn} />
        )}
        {(wasSignedIn.current || state === 'ready') && (
          <main id="content" tabIndex={-1}>
            <Switch>
              <Route path="/" component={KnowledgeBasesPage} />
              <Route path="/audit">
                <EventsPage />
              </Route>
              <Route path="/service-accounts">
                <ServiceAccountsPage />
              </Route>
              <Route path="/service-accounts/:id">
                {({ id }) => <ServiceAccountPage id={id} />}
              </Route>
              <Route path="/kbs/:kbId/*?">
                {({ kbId, '*': rest }) => <KnowledgeBasePage kbId={kbId} path={rest ?? ''} />}
              </Route>
              <Route>
                <h1>There is no such page</h1>
                <p>
                  <Link href="/">All knowledge bases</Link>
                </p>
              </Route>
            </Switch>
          </main>
        )}
        <p class="notice" role="status" aria-live="polite">
          {notice}
        </p>
      </Router>
    </SharedContext.Provider>
  );
}
