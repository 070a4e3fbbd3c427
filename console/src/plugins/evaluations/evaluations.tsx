import { useState } from 'preact/hooks';
import type { EvaluationSummary } from '../../api.js';
import { Alert, Badge, Empty, percent, plural, RowAction, Time } from '../../components/basics.js';
import { AnswerSettingsFields, readAnswerSettings } from '../../components/answer-settings.js';
import { Confirm, Dialog, DialogButtons } from '../../components/dialog.js';
import { readFields, Input, parseJson, TextArea } from '../../components/field.js';
import { PageHeader } from '../../components/page-header.js';
import { Table } from '../../components/table.js';
import { useChange, useLoad, usePolling, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { useDialogInAddress, useSearchParams } from '../../search-params.js';
import { EvaluationDialog } from './evaluation.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';

const EXAMPLE = `{"question": "How long may customers return an order?", "answer_contains": "30 days"}
{"question": "Who is the king of France?", "answerable": false}`;

const isWorking = ({ status }: Pick<EvaluationSummary, 'status'>) =>
  status === 'pending' || status === 'running';

export function EvaluationsPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [adding, setAdding] = useDialogInAddress('new');
  const [{ evaluation: opened, add: asked, answer }, open] = useSearchParams([
    ...['evaluation', 'add', 'answer'],
  ]);
  const [deleting, setDeleting] = useState<EvaluationSummary>();
  const rows = usePagedRows<EvaluationSummary>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/evaluations', { path: { kb_id: kb.id }, query, signal }),
    `evaluations ${kb.id}`,
  );
  const isRunning = rows.value?.some(isWorking);
  usePolling(rows, isRunning === true);
  const add = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setAdding(true);
      }}
    >
      Create evaluation
    </button>
  );
  return (
    <>
      <PageHeader
        title="Evaluations"
        lead="Ask many questions whose answers you know, and see how many are answered right."
      >
        {rows.value && rows.value.length > 0 && add}
      </PageHeader>
      <Table
        caption="Evaluations"
        rows={rows}
        getKey={({ id }) => id}
        empty={<Empty title="No evaluations yet">{add}</Empty>}
        columns={[
          {
            name: 'Name',
            cell: (each) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  open({ evaluation: each.id });
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
          { name: 'Found', kind: 'numeric', cell: (each) => percent(each.figures?.hit_at_5) },
          { name: 'Right', kind: 'numeric', cell: (each) => percent(each.figures?.right_rate) },
          {
            name: 'False answers',
            kind: 'numeric',
            cell: (each) => percent(each.figures?.false_answer_rate),
          },
          { name: 'When', kind: 'short', cell: (each) => <Time at={each.created_at} /> },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (each) =>
              mayChange && (
                <RowAction
                  onPress={() => {
                    setDeleting(each);
                  }}
                >
                  {isWorking(each) ? 'Stop' : 'Delete'}
                </RowAction>
              ),
          },
        ]}
      />
      {(adding || asked !== undefined) && mayChange && (
        <AddDialog
          first={asked === undefined ? '' : toLine(asked, answer)}
          kbId={kb.id}
          onClose={() => {
            if (asked === undefined) setAdding(false);
            else open({});
          }}
          onAdded={rows.reload}
        />
      )}
      {opened !== undefined && (
        <EvaluationDialog
          id={opened}
          onClose={() => {
            open({});
          }}
          onStop={
            mayChange
              ? (evaluation) => {
                  open({});
                  setDeleting(evaluation);
                }
              : undefined
          }
        />
      )}
      {deleting && (
        <Confirm
          title={isWorking(deleting) ? 'Stop the evaluation?' : 'Delete the evaluation?'}
          action={isWorking(deleting) ? 'Stop and delete' : 'Delete evaluation'}
          onClose={() => {
            setDeleting(undefined);
          }}
          onConfirm={async () => {
            const path = { evaluation_id: deleting.id };
            await api.delete('/api/v1/evaluations/{evaluation_id}', { path });
            notify('The evaluation is deleted.');
            rows.reload();
          }}
        >
          <p>Its {plural(deleting.question_count, 'question')} and their results go with it.</p>
        </Confirm>
      )}
    </>
  );
}

function AddDialog(props: {
  kbId: string;
  /** The first line of the questions. */
  first: string;
  onClose: () => void;
  onAdded: () => void;
}) {
  const { api } = useShared();
  const settings = useLoad(
    (api, signal) =>
      api.get('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: props.kbId }, signal }),
    `settings ${props.kbId}`,
  );
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const { name, questions = '' } = fields;
    const settings = readAnswerSettings(fields);
    await api.post('/api/v1/kbs/{kb_id}/evaluations', {
      path: { kb_id: props.kbId },
      body: {
        questions: parseQuestions(questions),
        ...(name !== undefined && { name }),
        ...(settings && { settings }),
      },
    });
    props.onAdded();
    props.onClose();
  });
  return (
    <Dialog title="Create evaluation" onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <Input label="Name" name="name" maxLength={100} autofocus error={error} />
        <TextArea
          label="Questions"
          name="questions"
          required
          rows={10}
          placeholder={EXAMPLE}
          defaultValue={props.first}
          error={error}
          hint="One JSON object per line: question, and answer_contains, answer_contains_all, external_ids, history, or answerable: false"
        />
        <details>
          <summary>Try other settings</summary>
          <p class="quiet">For this evaluation only; nothing is saved.</p>
          <AnswerSettingsFields saved={settings.value} mayChange error={error} />
        </details>
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Start" busy={busy} />
      </form>
    </Dialog>
  );
}

const MARKS = /\s*\[\d+\]/g;

/** A question with the answer that it got, of which the user keeps what is right. */
const toLine = (question: string, answer = '') =>
  JSON.stringify({
    question,
    ...(answer !== '' && { answer_contains: answer.replaceAll(MARKS, '').split('\n', 1)[0] }),
  });

function parseQuestions(lines: string): { question: string }[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => parseJson(line, `Line ${index + 1}`) as { question: string });
}
