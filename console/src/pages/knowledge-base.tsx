import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { isNotFound, type KnowledgeBase } from '../api.js';
import { Loading } from '../components/basics.js';
import { Frame, NavLink } from '../components/frame.js';
import { Icon } from '../components/icon.js';
import { NotFound } from '../components/not-found.js';
import { type Loaded, missing, useLoad, useShared } from '../load.js';
import { findPartPage, listPageGroups } from '../navigation.js';
import { NoAccess } from './no-access.js';
import { useTitle } from '../title.js';
import { type Current, CurrentContext } from '../current-knowledge-base.js';

const FIRST = 'overview';

/** Asks for the knowledge base again when something in it was not found: the user may be no member any more. */
function useLostAccess({ value, reload }: Loaded<KnowledgeBase>) {
  const isAsked = useRef(false);
  useEffect(() => {
    isAsked.current = value === undefined;
  }, [value]);
  useEffect(() => {
    const ask = () => {
      if (isAsked.current) return;
      isAsked.current = true;
      reload();
    };
    missing.addEventListener('missing', ask);
    return () => {
      missing.removeEventListener('missing', ask);
    };
  }, [reload]);
}

export function KnowledgeBasePage({ kbId, path }: { kbId: string; path: string }) {
  const [section = FIRST, id, part, ...rest] = path === '' ? [] : path.split('/');
  const kb = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}', { path: { kb_id: kbId }, signal }),
    kbId,
  );
  // Its counts change while another page is open.
  useEffect(kb.reload, [section]);
  useLostAccess(kb);
  const { isRunning } = useShared();
  const groups = listPageGroups(isRunning);
  const pages = groups.flatMap((group) => group.pages);
  const page = pages.find(({ name }) => name === section);
  const isLost = isNotFound(kb.error);
  const title = isLost ? 'No access' : (page?.label ?? 'Not found');
  useTitle(kb.value ? `${title} · ${kb.value.name}` : title);
  const Part = page && part !== undefined ? findPartPage(isRunning, page.name, part) : undefined;
  const role = kb.value?.role;
  const current: Current | undefined = kb.value && {
    kb: kb.value,
    mayChange: role === 'owner' || role === 'member',
    isOwner: role === 'owner',
    reload: kb.reload,
  };
  return (
    <Frame
      label={kb.value?.name ?? ''}
      nav={
        <>
          <div class="place">
            <Link href="/">
              <Icon name="back" directed /> Knowledge bases
            </Link>
            <strong dir="auto">{kb.value?.name}</strong>
          </div>
          <nav aria-label="Knowledge base">
            {(isLost ? [] : groups).map(({ group, pages }) => (
              <div key={group}>
                {group !== '' && (
                  <p class="group" aria-hidden="true">
                    {group}
                  </p>
                )}
                <ul aria-label={group || undefined}>
                  {pages.map(({ name, icon, label }) => (
                    <NavLink
                      key={name}
                      href={`/kbs/${kbId}/${name}`}
                      icon={icon}
                      label={label}
                      isCurrent={name === page?.name}
                    />
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </>
      }
    >
      {isLost ? (
        <NoAccess />
      ) : current ? (
        <CurrentContext.Provider value={current}>
          {Part && id !== undefined ? (
            <Part id={id} rest={rest} />
          ) : page?.Detail && id !== undefined ? (
            <page.Detail id={id} />
          ) : page ? (
            <page.Page />
          ) : (
            <NotFound href={`/kbs/${kbId}`} place="Overview" />
          )}
        </CurrentContext.Provider>
      ) : (
        <>
          <h1>{title}</h1>
          <Loading error={kb.error} />
        </>
      )}
    </Frame>
  );
}
