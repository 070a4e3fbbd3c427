import { useState } from 'preact/hooks';
import type { Evaluation, EvaluationSummary } from '../api.js';
import { Alert, Badge, Empty, Loading, percent, Time } from '../components/basics.js';
import { Dialog } from '../components/dialog.js';
import { fieldsOf, Input, TextArea } from '../components/field.js';
import { Table } from '../components/table.js';
import { useChange, useLoad, usePolling, useRows, useShared } from '../load.js';
import { useKnowledgeBase } from './knowledge-base.js';

const EXAMPLE = `{"question": "How long may customers return an order?", "answer_contains": "30 days"}
{"question": "Who is the king of France?", "answerable": false}`;

export function EvaluationsPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [adding, setAdding] = useState(false);
  const [opened, setOpened] = useState<string>();
  const rows = useRows<EvaluationSummary>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/evaluations', { path: { kb_id: kb.id }, query, signal }),
    `evaluations ${kb.id}`,
  );
  const isRunning = rows.value?.some(({ status }) => status === 'pending' || status === 'running');
  usePolling(rows, isRunning === true);
  const remove = useChange(async (id: string) => {
    await api.delete('/api/v1/evaluations/{evaluation_id}', { path: { evaluation_id: id } });
    notify('The evaluation is deleted.');
    rows.reload();
  });
  const add = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setAdding(true);
      }}
    >
      New evaluation
    </button>
  );
  return (
    <>
      <div class="heading">
        <p>Ask many questions whose answers you know, and see how many are answered right.</p>
        {rows.value && rows.value.length > 0 && add}
      </div>
      <Table
        caption="Evaluations"
        rows={rows}
        keyOf={({ id }) => id}
        empty={<Empty title="No evaluations yet">{add}</Empty>}
        columns={[
          {
            name: 'Name',
            cell: (each) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  setOpened(each.id);
                }}
              >
                {each.name ?? each.id}
              </button>
            ),
          },
          {
            name: 'State',
            cell: (each) =>
              each.status === 'running' ? (
                <progress value={each.progress} max={1} aria-label="Progress" />
              ) : (
                <Badge kind={each.status === 'complete' ? 'ready' : each.status}>
                  {each.status}
                </Badge>
              ),
          },
          { name: 'Found', numeric: true, cell: (each) => percent(each.figures?.hit_at_5) },
          { name: 'Right', numeric: true, cell: (each) => percent(each.figures?.right_rate) },
          {
            name: 'Falsely answered',
            numeric: true,
            cell: (each) => percent(each.figures?.false_answer_rate),
          },
          { name: 'When', cell: (each) => <Time at={each.created_at} /> },
          {
            name: 'Actions',
            cell: (each) =>
              mayChange && (
                <button type="button" class="link" onClick={() => void remove.run(each.id)}>
                  {each.status === 'running' ? 'Stop and delete' : 'Delete'}
                </button>
              ),
          },
        ]}
      />
      <Alert error={remove.error} />
      {adding && (
        <AddDialog
          kbId={kb.id}
          onClose={() => {
            setAdding(false);
          }}
          onAdded={rows.reload}
        />
      )}
      {opened !== undefined && (
        <EvaluationDialog
          id={opened}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
}

function AddDialog(props: { kbId: string; onClose: () => void; onAdded: () => void }) {
  const { api } = useShared();
  const { run, busy, error } = useChange(
    async ({ name, questions = '' }: Record<string, string>) => {
      await api.post('/api/v1/kbs/{kb_id}/evaluations', {
        path: { kb_id: props.kbId },
        body: { questions: parsed(questions), ...(name !== undefined && { name }) },
      });
      props.onAdded();
      props.onClose();
    },
  );
  return (
    <Dialog title="New evaluation" onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(fieldsOf(event.currentTarget));
        }}
      >
        <Input label="Name" name="name" maxLength={100} autofocus error={error} />
        <TextArea
          label="Questions"
          name="questions"
          required
          rows={10}
          placeholder={EXAMPLE}
          error={error}
          hint="One JSON object on each line: question, and answer_contains, external_ids, or answerable: false"
        />
        <Alert error={error} />
        <menu>
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
          <button class="primary" disabled={busy}>
            Start
          </button>
        </menu>
      </form>
    </Dialog>
  );
}

function parsed(lines: string): { question: string }[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line) as { question: string };
      } catch {
        throw new Error(`Line ${index + 1} is not well-formed JSON.`);
      }
    });
}

function EvaluationDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const evaluation = useLoad<Evaluation>(
    (api, signal) =>
      api.get('/api/v1/evaluations/{evaluation_id}', { path: { evaluation_id: id }, signal }),
    id,
  );
  const { value } = evaluation;
  usePolling(evaluation, value?.status === 'running' || value?.status === 'pending');
  return (
    <Dialog title={value?.name ?? 'Evaluation'} onClose={onClose}>
      {!value && <Loading error={evaluation.error} />}
      {value?.figures && (
        <dl class="facts">
          {Object.entries(value.figures).map(([name, figure]) => (
            <>
              <dt key={name}>{name.replaceAll('_', ' ')}</dt>
              <dd key={`${name} figure`}>
                {typeof figure === 'number' ? Number(figure.toPrecision(3)) : '–'}
              </dd>
            </>
          ))}
        </dl>
      )}
      {value && (
        <ol>
          {value.questions.map((each, index) => (
            <li key={index}>
              {each.question}{' '}
              <Badge kind={each.right === false ? 'failed' : 'ready'}>
                {each.right === null ? 'waiting' : each.right ? 'right' : 'wrong'}
              </Badge>
              {typeof each.rank === 'number' && <span class="quiet"> found at {each.rank}</span>}
            </li>
          ))}
        </ol>
      )}
      <menu>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </menu>
    </Dialog>
  );
}
