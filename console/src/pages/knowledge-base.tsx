import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Loading } from '../components/basics.js';
import { lazyPage } from '../components/lazy-page.js';
import { useLoad } from '../load.js';
import { useTitle } from '../title.js';
import { DocumentsPage } from './documents.js';
import { type Current, CurrentContext } from '../current-knowledge-base.js';

// Each page is loaded when it is first opened.
const DocumentPage = lazyPage(() => import('./document.js').then((m) => m.DocumentPage));
const SourcesPage = lazyPage(() => import('./sources.js').then((m) => m.SourcesPage));
const SourcePage = lazyPage(() => import('./source.js').then((m) => m.SourcePage));
const PlaygroundPage = lazyPage(() => import('./playground.js').then((m) => m.PlaygroundPage));
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
const EvaluationsPage = lazyPage(() => import('./evaluations.js').then((m) => m.EvaluationsPage));

const PAGES = [
  ['documents', 'Documents', DocumentsPage],
  ['sources', 'Sources', SourcesPage],
  ['playground', 'Playground', PlaygroundPage],
  ['keys', 'API keys', KeysPage],
  ['conversations', 'Conversations', ConversationsPage],
  ['analytics', 'Analytics', AnalyticsPage],
  ['costs', 'Costs', CostsPage],
  ['curated-answers', 'Curated answers', CuratedAnswersPage],
  ['evaluations', 'Evaluations', EvaluationsPage],
  ['webhooks', 'Webhooks', WebhooksPage],
  ['trusted-issuers', 'Trusted issuers', TrustedIssuersPage],
  ['members', 'Members', MembersPage],
  ['access', 'Access', AccessPage],
  ['audit', 'Audit', AuditPage],
  ['settings', 'Settings', SettingsPage],
] as const;

export function KnowledgeBasePage({ kbId, path }: { kbId: string; path: string }) {
  const [section = 'documents', id] = path.split('/');
  const kb = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}', { path: { kb_id: kbId }, signal }),
    kbId,
  );
  // Its counts change while another page is open.
  useEffect(kb.reload, [section]);
  const [, title, Page] = PAGES.find(([name]) => name === section) ?? PAGES[0];
  const tabs = useRef<HTMLElement>(null);
  const isShown = kb.value !== undefined;
  useEffect(() => {
    tabs.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [section, isShown]);
  useTitle(kb.value ? `${title} · ${kb.value.name}` : title);
  if (!kb.value) {
    return (
      <>
        <p class="crumbs">
          <Link href="/">Knowledge bases</Link>
        </p>
        <Loading error={kb.error} />
      </>
    );
  }
  const { role } = kb.value;
  const current: Current = {
    kb: kb.value,
    mayChange: role === 'owner' || role === 'member',
    isOwner: role === 'owner',
    reload: kb.reload,
  };
  return (
    <CurrentContext.Provider value={current}>
      <p class="crumbs">
        <Link href="/">Knowledge bases</Link>
      </p>
      <h1>{kb.value.name}</h1>
      <nav class="tabs" aria-label={kb.value.name} ref={tabs}>
        {PAGES.map(([name, label]) => (
          <Link
            key={name}
            href={`/kbs/${kbId}/${name}`}
            aria-current={name === section ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {section === 'documents' && id !== undefined ? (
        <DocumentPage id={id} />
      ) : section === 'sources' && id !== undefined ? (
        <SourcePage id={id} />
      ) : section === 'conversations' && id !== undefined ? (
        <ConversationPage id={id} />
      ) : (
        <Page />
      )}
    </CurrentContext.Provider>
  );
}
