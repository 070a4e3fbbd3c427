import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { LatchkeyError } from '@latchkey/client';
import { Bars } from '../components/bars.js';
import {
  Alert,
  Badge,
  CopyButton,
  Empty,
  Loading,
  number,
  RowAction,
  Time,
} from '../components/basics.js';
import { Confirm, Dialog, DialogButtons } from '../components/dialog.js';
import { Input, Select, TextArea } from '../components/field.js';
import { Icon } from '../components/icon.js';
import { PageHeader } from '../components/page-header.js';
import { SaveBar } from '../components/save-bar.js';
import { Table } from '../components/table.js';
import { Sparkline } from '../components/usage.js';
import { useShared } from '../load.js';
import { toOnePage, type PagedRows } from '../paging.js';
import { useTitle } from '../title.js';
import '../styles/components.css';
import '../styles/overview.css';

interface Row {
  readonly name: string;
  readonly state: 'ready' | 'processing' | 'failed';
  readonly size: number;
}

const ROWS: Row[] = [
  { name: 'Returns and refunds', state: 'ready', size: 12 },
  { name: 'سياسة الإرجاع', state: 'processing', size: 4 },
  { name: 'A-name-without-any-space-which-goes-on-and-on.pdf', state: 'failed', size: 1 },
];
const AT = '2026-01-31T12:00:00Z';
const DAYS = [0, 3, 5, 0, 8, 13, 9, 0, 0, 4, 6, 7, 2, 11];
const DAY_MS = 86_400_000;
const REFUSAL = LatchkeyError.refused({
  type: 'about:blank',
  title: 'Bad request',
  status: 400,
  code: 'validation_failed',
  detail: 'The name is taken.',
  request_id: 'none',
  errors: [{ field: 'name', message: 'is taken' }],
});
const COLOURS = [
  ...['surface', 'sidebar', 'panel', 'raised', 'hover', 'selected', 'line', 'border', 'accent'],
  ...[
    'ready-soft',
    'waiting-soft',
    'danger-soft',
    'neutral-soft',
    'series-1',
    'series-2',
    'series-3',
  ],
];

/** Every component in each of its states, for designers and for the test that takes screenshots. */
export function ComponentsPage() {
  useTitle('Components');
  const { notify } = useShared();
  const [opened, open] = useState<'dialog' | 'panel' | 'question'>();
  const close = () => {
    open(undefined);
  };
  const rows = toOnePage({ value: ROWS, error: undefined, reload: close });
  return (
    <>
      <PageHeader
        title="Components"
        lead="Each component in each of its states, as DESIGN.md has them."
        up={{ href: '/', label: 'Knowledge bases' }}
      >
        <button type="button">Secondary</button>
        <button type="button" class="primary">
          Primary
        </button>
      </PageHeader>
      <Part title="Colours">
        <ul class="swatches">
          {COLOURS.map((name) => (
            <li key={name}>
              <i class={`swatch ${name}`} /> <code>{name}</code>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Text">
        <h1>Title of a page</h1>
        <h2>Heading of a section</h2>
        <h3>Heading of a part</h3>
        <p>
          What is read, with a <a href="#text">link</a>, <code>code</code>, <mark>a quotation</mark>{' '}
          and <span class="quiet">what explains</span>.
        </p>
        <p dir="auto">يمكن للعملاء إرجاع أي طلب خلال ثلاثين يومًا من التسليم.</p>
      </Part>
      <Part title="Buttons">
        <div class="actions">
          <button type="button" class="primary">
            Primary
          </button>
          <button type="button">Secondary</button>
          <button type="button" class="danger">
            Delete…
          </button>
          <button type="button" class="plain">
            Plain
          </button>
          <button type="button" class="plain icon-only" aria-label="Close">
            <Icon name="close" />
          </button>
          <button type="button" class="link">
            Link
          </button>
          <CopyButton text="copied" />
        </div>
        <div class="actions">
          <button type="button" class="primary" disabled>
            Primary
          </button>
          <button type="button" disabled>
            Secondary
          </button>
          <button type="button" class="danger" disabled>
            Delete…
          </button>
        </div>
      </Part>
      <Part title="States">
        <Badge kind="ready">ready</Badge>
        <Badge kind="processing">being read</Badge>
        <Badge kind="failed">failed</Badge>
        <Badge kind="">member</Badge>
        <Time at={AT} />
        <Alert error={new Error('The passwords of the source are refused. Type them again.')} />
      </Part>
      <Part title="Fields">
        <div class="columns">
          <Input label="At rest" name="rest" placeholder="Such as support" hint="What it is for" />
          <Input label="Filled" name="filled" defaultValue="Support handbook" />
          <Input label="Refused" name="name" defaultValue="Handbook" error={REFUSAL} />
          <Input label="Disabled" name="disabled" defaultValue="Handbook" disabled />
          <Select label="Choice" name="choice">
            <option>whoever may ask</option>
            <option>nobody</option>
          </Select>
          <Input label="Date" name="date" type="date" />
        </div>
        <TextArea label="Long text" name="long" defaultValue="مرحبا" />
        <label class="check">
          <input type="checkbox" defaultChecked /> Chosen
        </label>
        <label class="check">
          <input type="checkbox" /> Not chosen
        </label>
        <div class="dirty">
          <SaveBar isDirty>
            <button type="button" class="primary">
              Save settings
            </button>
          </SaveBar>
        </div>
      </Part>
      <Part title="Table">
        <Rows caption="Documents" rows={rows} />
        <h3>It is being read</h3>
        <Rows caption="Being read" rows={{ ...rows, value: undefined, isLoading: true }} />
        <h3>It could not be read</h3>
        <Rows
          caption="Not read"
          rows={{ ...rows, value: undefined, error: new Error('It could not be read.') }}
        />
        <h3>A page of many</h3>
        <Rows
          caption="Many documents"
          rows={{ ...rows, total: 10_000, page: 2, first: 101, next: close, start: close }}
        />
      </Part>
      <Part title="Nothing there">
        <Empty title="No documents yet">
          <p>Drop files above, or write a text.</p>
          <button type="button" class="primary">
            Choose files
          </button>
        </Empty>
      </Part>
      <Part title="Loading">
        <Loading error={undefined} />
      </Part>
      <Part title="Figures">
        <dl class="totals">
          {['Questions', 'Answered', 'Rated good', 'End users', 'Tokens'].map((name, index) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{number(1234 * index)}</dd>
            </div>
          ))}
        </dl>
        <Bars
          label="Requests"
          names={['answered', 'not answered', 'searches']}
          rows={DAYS.map((count, day) => ({
            at: new Date(Date.parse(AT) + day * DAY_MS),
            counts: [count, Math.round(count / 4), Math.round(count / 2)],
          }))}
        />
        <Sparkline days={DAYS} />
        <dl class="facts">
          <dt>Prefix</dt>
          <dd>
            <code>rag_live_MJDh34jQCm…</code> <Badge kind="ready">active</Badge>
          </dd>
          <dt class="wrong">Policy</dt>
          <dd>Not met: it never expires.</dd>
        </dl>
      </Part>
      <Part title="Matters">
        <ul class="attention warnings">
          <li>
            <Icon name="warning" />
            <span>
              <strong>3 documents could not be read</strong>{' '}
              <span class="quiet">Nothing is answered from what could not be read.</span>
            </span>
            <button type="button">See why</button>
          </li>
        </ul>
        <p class="well">
          <Icon name="done" /> All is well.
        </p>
      </Part>
      <Part title="Layers">
        <div class="actions">
          <button
            type="button"
            onClick={() => {
              open('dialog');
            }}
          >
            Open a dialog
          </button>
          <button
            type="button"
            onClick={() => {
              open('panel');
            }}
          >
            Open a panel
          </button>
          <button
            type="button"
            onClick={() => {
              notify('The settings are saved.');
            }}
          >
            Say something
          </button>
        </div>
      </Part>
      {opened === 'dialog' && (
        <Confirm
          title="Delete 3 documents?"
          action="Delete 3 documents"
          onClose={close}
          onConfirm={() => Promise.resolve()}
        >
          <p>This removes 12 passages from search and from answers. It cannot be undone.</p>
        </Confirm>
      )}
      {(opened === 'panel' || opened === 'question') && (
        <Dialog title="Web shop" onClose={close} side>
          <p>What is looked at beside the page.</p>
          <menu>
            <button
              type="button"
              onClick={() => {
                notify('The key is changed.');
              }}
            >
              Say it here
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                open('question');
              }}
            >
              Revoke…
            </button>
          </menu>
          {opened === 'question' && (
            <Dialog
              title="Revoke Web shop?"
              onClose={() => {
                open('panel');
              }}
            >
              <form>
                <p>A revoked key cannot be made valid again.</p>
                <DialogButtons
                  onClose={() => {
                    open('panel');
                  }}
                  action="Revoke key"
                  busy={false}
                  isDangerous
                />
              </form>
            </Dialog>
          )}
        </Dialog>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Rows({ caption, rows }: { caption: string; rows: PagedRows<Row> }) {
  return (
    <Table
      caption={caption}
      rows={rows}
      getKey={({ name }) => name}
      empty={null}
      selection={{
        getName: ({ name }) => name,
        actions: () => (
          <button type="button" class="danger">
            Delete…
          </button>
        ),
      }}
      columns={[
        {
          name: 'Title',
          sortBy: ({ name }) => name,
          cell: ({ name }) => <a href="#row">{name}</a>,
        },
        { name: 'State', cell: ({ state }) => <Badge kind={state}>{state}</Badge> },
        {
          name: 'Size',
          kind: 'numeric',
          sortBy: ({ size }) => size,
          cell: ({ size }) => number(size),
        },
        {
          name: 'Actions',
          kind: 'actions',
          cell: () => <RowAction onPress={() => undefined}>Delete</RowAction>,
        },
      ]}
    />
  );
}
