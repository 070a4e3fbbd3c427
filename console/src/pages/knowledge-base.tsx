import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Loading } from '../components/basics.js';
import { Frame, NavLink } from '../components/frame.js';
import { Icon } from '../components/icon.js';
import { NotFound } from '../components/not-found.js';
import { lazyPage } from '../components/lazy-page.js';
import { useLoad, useShared } from '../load.js';
import { listPageGroups, type PageName } from '../navigation.js';
import { useTitle } from '../title.js';
import { type Current, CurrentContext } from '../current-knowledge-base.js';

// Each page is loaded when it is first opened.
const DocumentPage = lazyPage(() => import('./document.js').then((m) => m.DocumentPage));
const OverviewPage = lazyPage(() => import('./overview.js').then((m) => m.OverviewPage));
const DocumentsPage = lazyPage(() => import('./documents.js').then((m) => m.DocumentsPage));
const SourcesPage = lazyPage(() => import('./sources.js').then((m) => m.SourcesPage));
const SourcePage = lazyPage(() => import('./source.js').then((m) => m.SourcePage));
const PlaygroundPage = lazyPage(() => import('./playground.js').then((m) => m.PlaygroundPage));
const SitesPage = lazyPage(() => import('../plugins/sites/sites-page.js').then((m) => m.SitesPage));
const SitePage = lazyPage(() => import('../plugins/sites/site-page.js').then((m) => m.SitePage));
const ChannelsPage = lazyPage(() =>
  import('../plugins/channels/channels-page.js').then((m) => m.ChannelsPage),
);
const ChannelPage = lazyPage(() =>
  import('../plugins/channels/channel-page.js').then((m) => m.ChannelPage),
);
const KeysPage = lazyPage(() => import('./keys.js').then((m) => m.KeysPage));
const ConversationsPage = lazyPage(() =>
  import('./conversations.js').then((m) => m.ConversationsPage),
);
const ConversationPage = lazyPage(() =>
  import('./conversation.js').then((m) => m.ConversationPage),
);
const AnalyticsPage = lazyPage(() => import('./analytics.js').then((m) => m.AnalyticsPage));
const CostsPage = lazyPage(() => import('./costs.js').then((m) => m.CostsPage));
const SettingsPage = lazyPage(() => import('./settings.js').then((m) => m.SettingsPage));
const MembersPage = lazyPage(() => import('./members.js').then((m) => m.MembersPage));
const AccessPage = lazyPage(() => import('./access.js').then((m) => m.AccessPage));
const AuditPage = lazyPage(() => import('./audit.js').then((m) => m.AuditPage));
const WebhooksPage = lazyPage(() => import('./webhooks.js').then((m) => m.WebhooksPage));
const TrustedIssuersPage = lazyPage(() =>
  import('./trusted-issuers.js').then((m) => m.TrustedIssuersPage),
);
const CuratedAnswersPage = lazyPage(() =>
  import('./curated-answers.js').then((m) => m.CuratedAnswersPage),
);
const GapsPage = lazyPage(() => import('./gaps.js').then((m) => m.GapsPage));
const VersionPage = lazyPage(() =>
  import('../plugins/document-versions/version-page.js').then((m) => m.VersionPage),
);
const DiffPage = lazyPage(() =>
  import('../plugins/document-versions/diff-page.js').then((m) => m.DiffPage),
);
const EvaluationsPage = lazyPage(() => import('./evaluations.js').then((m) => m.EvaluationsPage));

/** The component of each page of a knowledge base, by its name in the address. */
const PAGES: Record<PageName, ComponentType> = {
  overview: OverviewPage,
  documents: DocumentsPage,
  sources: SourcesPage,
  'curated-answers': CuratedAnswersPage,
  playground: PlaygroundPage,
  conversations: ConversationsPage,
  gaps: GapsPage,
  evaluations: EvaluationsPage,
  sites: SitesPage,
  channels: ChannelsPage,
  keys: KeysPage,
  webhooks: WebhooksPage,
  'trusted-issuers': TrustedIssuersPage,
  analytics: AnalyticsPage,
  costs: CostsPage,
  members: MembersPage,
  access: AccessPage,
  audit: AuditPage,
  settings: SettingsPage,
};
const FIRST = 'overview';

/** The pages of one document, source, conversation, site or channel. */
const DETAILS: Partial<Record<PageName, ComponentType<{ id: string }>>> = {
  documents: DocumentPage,
  sources: SourcePage,
  sites: SitePage,
  channels: ChannelPage,
  conversations: ConversationPage,
};

/** The pages of a version of a document, by the end of the path. */
const findVersionPage = (end: string | undefined) => (end === 'diff' ? DiffPage : VersionPage);

export function KnowledgeBasePage({ kbId, path }: { kbId: string; path: string }) {
  const [section = '', id, part, version = '', end] = path.split('/');
  const kb = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}', { path: { kb_id: kbId }, signal }),
    kbId,
  );
  // Its counts change while another page is open.
  useEffect(kb.reload, [section]);
  const { isRunning } = useShared();
  const groups = listPageGroups(isRunning);
  const pages = groups.flatMap((group) => group.pages);
  const page = section === '' ? FIRST : pages.find(({ name }) => name === section)?.name;
  const title = pages.find(({ name }) => name === page)?.label ?? 'Not found';
  useTitle(kb.value ? `${title} · ${kb.value.name}` : title);
  const Page = page && PAGES[page];
  const Detail = id === undefined || !page ? undefined : DETAILS[page];
  const isVersion = page === 'documents' && part === 'versions' && isRunning('document-versions');
  const OfVersion = isVersion && /^\d+$/.test(version) ? findVersionPage(end) : undefined;
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
            {groups.map(({ group, pages }) => (
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
                      isCurrent={name === page}
                    />
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </>
      }
    >
      {current ? (
        <CurrentContext.Provider value={current}>
          {OfVersion && id !== undefined ? (
            <OfVersion id={id} version={Number(version)} />
          ) : Detail && id !== undefined ? (
            <Detail id={id} />
          ) : Page ? (
            <Page />
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
