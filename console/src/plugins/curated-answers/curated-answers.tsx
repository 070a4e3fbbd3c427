import { useState } from 'preact/hooks';
import { readersWords } from '../../access-words.js';
import type { CuratedAnswer } from '../../api.js';
import { Badge, Empty, RowAction, Time } from '../../components/basics.js';
import { Confirm } from '../../components/dialog.js';
import { PageHeader } from '../../components/page-header.js';
import { Table } from '../../components/table.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useLoad, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { useSearchParams } from '../../search-params.js';
import { CuratedAnswerDialog } from './curated-answer.js';

type Asking = { what: 'add' } | { what: 'change' | 'delete'; answer: CuratedAnswer };

/** What the address asks for: a new answer, an answer by its id, or the answer to a question. */
const ASKED = ['open', 'answer', 'question'] as const;

export function CuratedAnswersPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [{ open, answer: asked, question }, setParams] = useSearchParams(ASKED);
  const [asking, setAsking] = useState<Asking>();
  const rows = usePagedRows<CuratedAnswer>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/curated-answers', { path: { kb_id: kb.id }, query, signal }),
    `curated answers ${kb.id}`,
  );
  const close = () => {
    setAsking(undefined);
    if ([open, asked, question].some((each) => each !== undefined)) setParams({});
  };
  const found = useLoad(
    async (api, signal) =>
      asked === undefined
        ? undefined
        : api.get('/api/v1/curated-answers/{curated_answer_id}', {
            ...{ path: { curated_answer_id: asked }, signal },
          }),
    `curated answer ${asked ?? ''}`,
  );
  const isNew = open === 'new' || question !== undefined;
  const fromAddress: Asking | undefined = found.value
    ? { what: 'change', answer: found.value }
    : isNew
      ? { what: 'add' }
      : undefined;
  const opened = asking ?? (mayChange ? fromAddress : undefined);
  const add = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setAsking({ what: 'add' });
      }}
    >
      Create curated answer
    </button>
  );
  return (
    <>
      <PageHeader
        title="Curated answers"
        lead="What you write here is answered as it stands when one of its questions comes again."
      >
        {rows.value && rows.value.length > 0 && add}
      </PageHeader>
      <Table
        caption="Curated answers"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="No curated answers yet">
            <p>Write what the documents do not say, or should say in other words.</p>
            {add}
          </Empty>
        }
        columns={[
          {
            name: 'Questions',
            cell: ({ questions: [first = '', ...others], answer }) => (
              <>
                <span dir="auto">{first}</span>{' '}
                {others.length > 0 && <span class="quiet">and {others.length} more</span>}
                <div class="quiet question-cell" dir="auto">
                  {answer}
                </div>
              </>
            ),
          },
          {
            name: 'Access',
            cell: ({ access, sources }) =>
              access
                ? readersWords(access)
                : sources.length > 0
                  ? 'as its documents'
                  : 'the default',
          },
          { name: 'Owner', cell: ({ owner }) => owner },
          {
            name: 'Review',
            kind: 'short',
            cell: ({ review_at }) => <ReviewDate at={review_at} />,
          },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (answer) =>
              mayChange && (
                <>
                  <RowAction
                    onPress={() => {
                      setAsking({ what: 'change', answer });
                    }}
                  >
                    Change
                  </RowAction>
                  <RowAction
                    onPress={() => {
                      setAsking({ what: 'delete', answer });
                    }}
                  >
                    Delete
                  </RowAction>
                </>
              ),
          },
        ]}
      />
      {opened && opened.what !== 'delete' && (
        <CuratedAnswerDialog
          kbId={kb.id}
          questions={question === undefined ? [] : [question]}
          {...(opened.what === 'change' && { before: opened.answer })}
          onClose={close}
          onSaved={() => {
            close();
            notify('The answer is saved. It is given from the next question on.');
            rows.reload();
          }}
        />
      )}
      {asking?.what === 'delete' && (
        <Confirm
          title="Delete the curated answer?"
          action="Delete curated answer"
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/curated-answers/{curated_answer_id}', {
              path: { curated_answer_id: asking.answer.id },
            });
            notify('The curated answer is deleted.');
            rows.reload();
          }}
        >
          <p>Its questions are searched again from the next one on.</p>
        </Confirm>
      )}
    </>
  );
}

function ReviewDate({ at }: { at: string | null }) {
  if (at !== null && Date.parse(at) <= Date.now()) {
    return (
      <Badge kind="pending">
        due since <Time at={at} />
      </Badge>
    );
  }
  return <Time at={at} none="–" />;
}
