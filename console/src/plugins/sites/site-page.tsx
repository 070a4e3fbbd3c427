import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Site } from '../../api.js';
import { Alert, Loading } from '../../components/basics.js';
import { Confirm } from '../../components/dialog.js';
import { PageHeader } from '../../components/page-header.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useLoad, usePolling, useShared } from '../../load.js';
import { SiteDialog } from './site-form.js';
import { SiteFacts } from './site-facts.js';
import { siteSnippets } from './site-snippets.js';
import { SnippetTabs } from './snippet-tabs.js';
import { useSitePause } from './use-site-pause.js';
import '../../styles/places.css';

const POLL_MS = 5000;

export function SitePage({ id }: { id: string }) {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [, go] = useLocation();
  const [asking, setAsking] = useState<'change' | 'delete'>();
  const path = { site_id: id };
  const site = useLoad(
    (api, signal) => api.get('/api/v1/sites/{site_id}', { path, signal }),
    `site ${id}`,
  );
  usePolling(site, site.error === undefined, POLL_MS);
  const pause = useSitePause(site.reload);
  const close = () => {
    setAsking(undefined);
  };
  const { value } = site;
  if (!value) return <Loading error={site.error} />;
  const sitesPath = `/kbs/${kb.id}/sites`;
  return (
    <>
      <PageHeader title={value.name} up={{ href: sitesPath, label: 'Sites' }}>
        {mayChange && (
          <>
            <button type="button" onClick={() => void pause.toggle(value)}>
              {pause.action(value)}
            </button>
            <button
              type="button"
              onClick={() => {
                setAsking('change');
              }}
            >
              Change
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                setAsking('delete');
              }}
            >
              Delete…
            </button>
          </>
        )}
      </PageHeader>
      <Alert error={pause.error} />
      <SiteFacts site={value} />
      <section aria-label="Put it on your pages">
        <h2>Put it on your pages</h2>
        <SnippetTabs snippets={siteSnippets(location.origin, value)} />
      </section>
      <Preview site={value} />
      {asking === 'change' && (
        <SiteDialog
          kbId={kb.id}
          site={value}
          onClose={close}
          onSaved={() => {
            close();
            notify('The site is changed.');
            site.reload();
          }}
        />
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete “${value.name}”?`}
          action="Delete site"
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/sites/{site_id}', { path });
            notify('The site is deleted.');
            go(sitesPath);
          }}
        >
          <p>
            The chat disappears from your pages, and visitors who have it open get no more answers.
            Their conversations stay in the inbox. Remove the snippet from your pages too. This
            cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** The chat on a sample page, as it is saved. */
function Preview({ site }: { site: Site }) {
  return (
    <section aria-label="Preview">
      <h2>Preview</h2>
      <p class="quiet">
        This is the real chat: what you ask here counts as a question of today, and appears in
        Conversations.
      </p>
      <iframe
        // The frame is loaded again after each change.
        key={site.updated_at}
        class="preview"
        src={`/s/${site.id}/preview`}
        title="Sample page with the chat"
      />
    </section>
  );
}
