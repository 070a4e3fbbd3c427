import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/basics.js';
import type { SiteSnippet } from './site-snippets.js';

/** The ways to put a site on a page, to copy one of them. */
export function SnippetTabs({ snippets }: { snippets: readonly SiteSnippet[] }) {
  const [name, setName] = useState(snippets[0]?.name);
  const snippet = snippets.find((each) => each.name === name);
  return (
    <>
      <div class="snippet-names" role="group" aria-label="Way">
        {snippets.map((each) => (
          <button
            key={each.name}
            type="button"
            aria-pressed={each.name === name}
            onClick={() => {
              setName(each.name);
            }}
          >
            {each.name}
          </button>
        ))}
      </div>
      {snippet && (
        <div class="snippet">
          <pre class="wrapped" tabIndex={0} dir="ltr">
            <code>{snippet.text}</code>
          </pre>
          <p class="actions">
            <CopyButton text={snippet.text} />
          </p>
          <p class="quiet">{snippet.about}</p>
        </div>
      )}
    </>
  );
}
