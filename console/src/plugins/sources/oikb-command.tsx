import { CopyButton } from '../../components/basics.js';

/** The command that runs a source whose documents oikb brings. */
export function OikbCommand({ sourceId }: { sourceId: string }) {
  const text = [
    'pip install oikb',
    "export OPEN_WEBUI_API_KEY='YOUR_MANAGEMENT_KEY'",
    `oikb sync ./docs --url ${location.origin}/open-webui --kb-id ${sourceId}`,
  ].join('\n');
  return (
    <section aria-label="Run oikb">
      <h2>Run oikb where the documents are</h2>
      <div class="snippet">
        <pre tabIndex={0} dir="ltr">
          <code>{text}</code>
        </pre>
        <p class="actions">
          <CopyButton text={text} label="Copy the commands" />
        </p>
      </div>
      <p class="quiet">
        Replace <code>YOUR_MANAGEMENT_KEY</code> with a key of a service account that is a member of
        this knowledge base and has the scope <code>documents:write</code>, and <code>./docs</code>{' '}
        with a folder, or with any other source of oikb, such as <code>github:acme/handbook</code>.
      </p>
    </section>
  );
}
