import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Route, Router, Switch, useLocation } from 'wouter-preact';
import { connect, connectForFiles, isAway, isNotFound, isSignedOut } from './api.js';
import { Frame, NavLink } from './components/frame.js';
import { lazyPage } from './components/lazy-page.js';
import { LeaveGuard, leaveFor } from './components/leave-guard.js';
import { NotFound } from './components/not-found.js';
import { NoticeContext, Toast } from './components/toast.js';
import { missing, SharedContext, useShared } from './load.js';
import { listServicePages, listUnlistedPages } from './navigation.js';
import { KnowledgeBasePage } from './pages/knowledge-base.js';
import { SignIn } from './pages/sign-in.js';
import type { KeyPolicy, Session } from './session-types.js';
import { useNotice } from './notice.js';
import { useShortcuts } from './shortcuts.js';

const ComponentsPage = lazyPage(() =>
  import('./pages/components.js').then((m) => m.ComponentsPage),
);
const ShortcutList = lazyPage(() => import('./pages/shortcut-list.js').then((m) => m.ShortcutList));
const Finder = lazyPage(() => import('./pages/finder.js').then((m) => m.Finder));

const RETRY_MS = 2000;
const AWAY_MS = 10_000;

interface AppProps {
  readonly session: Session;
  readonly keyPolicy: KeyPolicy;
  readonly plugins: readonly string[];
}

export function App({ session, keyPolicy, plugins }: AppProps) {
  const [epoch, setEpoch] = useState(0);
  const [state, setState] = useState<'ready' | 'away' | 'signed-out'>(
    session.isSignedIn ? 'ready' : 'signed-out',
  );
  const { notice, notify } = useNotice(() => {
    setEpoch((old) => old + 1);
  });
  const [layer, setLayer] = useState<'finder' | 'shortcuts'>();
  const api = useMemo(() => connect(session), [session]);
  const shared = useMemo(
    () => ({
      api,
      user: session.user,
      keyPolicy,
      isRunning: (plugin: string) => plugins.includes(plugin),
      forFiles: (fetch?: typeof globalThis.fetch) => connectForFiles(session, fetch),
      epoch,
      report: (error: unknown) => {
        if (isSignedOut(error)) setState('signed-out');
        else if (isAway(error)) setState('away');
        else if (isNotFound(error)) missing.dispatchEvent(new Event('missing'));
      },
      notify,
      find: () => {
        setLayer('finder');
      },
      help: () => {
        setLayer('shortcuts');
      },
      signOut: () => {
        void session.signOut().then(() => {
          location.assign('/console/');
        });
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
  useEffect(() => {
    const find = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      // An open dialog must be finished first.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setLayer('finder');
    };
    addEventListener('keydown', find);
    return () => {
      removeEventListener('keydown', find);
    };
  }, []);
  useReturn(() => {
    setEpoch((old) => old + 1);
  });
  const signedIn = () => {
    setState('ready');
    setEpoch((old) => old + 1);
  };
  // The finder may have opened the other one.
  const closeLayer = (name: typeof layer) => () => {
    setLayer((open) => (open === name ? undefined : open));
  };
  // The page stays beneath the dialog, with its input, while the user signs in again.
  const wasSignedIn = useRef(session.isSignedIn);
  wasSignedIn.current ||= state === 'ready';
  return (
    <SharedContext.Provider value={shared}>
      <NoticeContext.Provider value={notice}>
        <Router
          base="/console"
          aroundNav={(navigate, to, options) => {
            leaveFor(to, () => {
              navigate(to, options);
            });
          }}
        >
          <a class="skip" href="#content">
            Skip to the content
          </a>
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
            <>
              <Switch>
                <Route path="/kbs/:kbId/*?">
                  {({ kbId, '*': rest }) => <KnowledgeBasePage kbId={kbId} path={rest ?? ''} />}
                </Route>
                <Route>
                  <ServiceFrame />
                </Route>
              </Switch>
              <LeaveGuard />
              <Shortcuts />
              {layer === 'finder' && <Finder onClose={closeLayer('finder')} />}
              {layer === 'shortcuts' && <ShortcutList onClose={closeLayer('shortcuts')} />}
            </>
          )}
          <Toast />
        </Router>
      </NoticeContext.Provider>
    </SharedContext.Provider>
  );
}

/** Listens to single keys, below the router. */
function Shortcuts() {
  useShortcuts();
  return null;
}

/** Calls back when the user returns to the page after a while, since its figures have changed. */
function useReturn(onReturn: () => void) {
  useEffect(() => {
    let left = Date.now();
    const change = () => {
      if (document.visibilityState === 'hidden') left = Date.now();
      else if (Date.now() - left >= AWAY_MS) onReturn();
    };
    document.addEventListener('visibilitychange', change);
    return () => {
      document.removeEventListener('visibilitychange', change);
    };
  }, []);
}

/** The pages that belong to no knowledge base. */
function ServiceFrame() {
  const [path] = useLocation();
  const { isRunning } = useShared();
  const pages = listServicePages(isRunning);
  const current = pages.findLast(({ name }) => path.startsWith(`/${name}`));
  return (
    <Frame
      label={current?.label ?? 'Latchkey'}
      nav={
        <nav aria-label="Service">
          <ul>
            {pages.map(({ name, icon, label }) => (
              <NavLink
                key={name}
                href={`/${name}`}
                icon={icon}
                label={label}
                isCurrent={name === current?.name}
              />
            ))}
          </ul>
        </nav>
      }
    >
      <Switch>
        {pages.flatMap(({ name, Page, Detail }) => [
          <Route key={name} path={`/${name}`}>
            <Page />
          </Route>,
          Detail && (
            <Route key={`${name} detail`} path={`/${name}/:id`}>
              {({ id }) => <Detail id={id} />}
            </Route>
          ),
        ])}
        {listUnlistedPages(isRunning).map(({ name, Page }) => (
          <Route key={name} path={`/${name}`}>
            <Page />
          </Route>
        ))}
        <Route path="/components">
          <ComponentsPage />
        </Route>
        <Route>
          <NotFound href="/" place="All knowledge bases" />
        </Route>
      </Switch>
    </Frame>
  );
}
