import { useState } from 'preact/hooks';
import type { Site } from '../../api.js';
import { Alert } from '../../components/basics.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { findChanges, Input, Select, TextArea } from '../../components/field.js';
import { MoreFields } from '../../components/more-fields.js';
import { useIdempotencyKey } from '../../idempotency.js';
import { useChange, useShared } from '../../load.js';
import { AppearanceFields } from './appearance-fields.js';
import { DEFAULTS, readSite } from './site-fields.js';
import { WORK } from './proof-of-work.js';

/** Creates a site, or changes `site`. */
export function SiteDialog(props: {
  kbId: string;
  site?: Site;
  onClose: () => void;
  onSaved: (site: Site) => void;
}) {
  const { site } = props;
  const { api } = useShared();
  const idempotencyKey = useIdempotencyKey();
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const body = readSite(form);
    props.onSaved(
      site
        ? await api.patch('/api/v1/sites/{site_id}', {
            path: { site_id: site.id },
            body: findChanges(body, site),
          })
        : await api.post('/api/v1/kbs/{kb_id}/sites', {
            path: { kb_id: props.kbId },
            body,
            headers: idempotencyKey(body),
          }),
    );
  });
  return (
    <Dialog title={site ? 'Change the site' : 'Create site'} onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <Input
          label="Name"
          name="name"
          required
          maxLength={100}
          autofocus
          defaultValue={site?.name ?? ''}
          error={error}
          hint="Visitors see it as the title of the chat"
        />
        <TextArea
          label="Origins"
          name="origins"
          required
          dir="ltr"
          spellcheck={false}
          defaultValue={site?.origins.join('\n') ?? ''}
          error={error}
          hint="The addresses of your pages without a path, one a line, such as https://shop.example.com"
        />
        <MoreFields isOpen={site !== undefined}>
          <TextArea
            label="Greeting"
            name="greeting"
            maxLength={500}
            defaultValue={site?.greeting ?? ''}
            error={error}
            hint="In the language of the page, if left empty"
          />
          <TextArea
            label="Suggestions"
            name="suggestions"
            defaultValue={site?.suggestions.join('\n') ?? ''}
            error={error}
            hint="Questions to begin with, one a line, at most 5"
          />
          <Input
            label="Contact address"
            name="contact_url"
            type="url"
            defaultValue={site?.contact_url ?? ''}
            error={error}
            hint="Where visitors find a person, with https or mailto; the chat links to it"
          />
          <AppearanceFields theme={site?.theme ?? {}} error={error} />
          <LimitFields site={site ?? DEFAULTS} error={error} />
        </MoreFields>
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action={site ? 'Save' : 'Create'} busy={busy} />
      </form>
    </Dialog>
  );
}

type Limits = Pick<Site, keyof typeof DEFAULTS>;

function LimitFields({ site, error }: { site: Limits; error: unknown }) {
  const isNamed = WORK.some(([bits]) => bits === site.proof_of_work);
  const [work, setWork] = useState(isNamed ? String(site.proof_of_work) : 'bits');
  return (
    <fieldset>
      <legend>Limits</legend>
      <div class="columns">
        <Input
          label="Questions a day"
          name="daily_messages"
          type="number"
          required
          min={1}
          max={1_000_000}
          defaultValue={site.daily_messages}
          error={error}
          hint="Of all visitors, UTC: what the site can cost"
        />
        <Input
          label="Questions a minute"
          name="per_visitor_per_minute"
          type="number"
          required
          min={1}
          max={600}
          defaultValue={site.per_visitor_per_minute}
          error={error}
          hint="Of each visitor"
        />
        <Input
          label="Questions a day of one address"
          name="per_address_per_day"
          type="number"
          min={1}
          max={1_000_000}
          defaultValue={site.per_address_per_day ?? ''}
          error={error}
          hint="So that nobody alone uses up the day. Empty for no limit, where all visitors come from one address"
        />
      </div>
      <Select
        label="Proof of work"
        name="work"
        initial={work}
        onChange={(event) => {
          setWork(event.currentTarget.value);
        }}
        hint="What a visitor’s browser computes before the first question, so that floods are costly. Normal takes a phone a third of a second, strong more than a second"
      >
        {WORK.map(([bits, words]) => (
          <option key={bits} value={String(bits)}>
            {words}
          </option>
        ))}
        <option value="bits">advanced: in bits</option>
      </Select>
      {work === 'bits' && (
        <Input
          label="Bits"
          name="proof_of_work"
          type="number"
          required
          min={0}
          max={22}
          defaultValue={site.proof_of_work}
          error={error}
          hint="Each bit doubles the work"
        />
      )}
    </fieldset>
  );
}
