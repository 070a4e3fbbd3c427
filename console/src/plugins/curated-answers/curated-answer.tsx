import { useState } from 'preact/hooks';
import { splitLines } from '../../access-words.js';
import type { CuratedAnswer } from '../../api.js';
import { RuleFields, readRule } from '../../components/access-rule.js';
import { Alert } from '../../components/basics.js';
import { DocumentChoice } from '../../components/document-choice.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { findChanges, readFields, Input, Select, TextArea } from '../../components/field.js';
import { useChange, useShared } from '../../load.js';

/** Creates a curated answer, or changes `before`. */
export function CuratedAnswerDialog(props: {
  kbId: string;
  /** The questions that the answer is for. */
  questions?: readonly string[] | undefined;
  before?: CuratedAnswer;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { before, questions = [] } = props;
  const [sources, setSources] = useState(before?.sources ?? []);
  const { api } = useShared();
  const [hasRule, setHasRule] = useState(Boolean(before?.access));
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const fields = readFields(form);
    const { review_on } = fields;
    const body = {
      questions: splitLines(fields['questions']),
      answer: fields['answer'] ?? '',
      sources,
      access: hasRule ? readRule(fields) : null,
      review_at: review_on === undefined ? null : new Date(review_on).toISOString(),
    };
    if (before) {
      await api.patch('/api/v1/curated-answers/{curated_answer_id}', {
        path: { curated_answer_id: before.id },
        body: findChanges(body, before),
      });
    } else {
      await api.post('/api/v1/kbs/{kb_id}/curated-answers', { path: { kb_id: props.kbId }, body });
    }
    props.onSaved();
  });
  return (
    <Dialog
      title={before ? 'Change the curated answer' : 'Create curated answer'}
      onClose={props.onClose}
      side
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <TextArea
          label="Questions"
          name="questions"
          required
          autofocus={questions.length === 0}
          dir="auto"
          defaultValue={(before?.questions ?? questions.map(onOneLine)).join('\n')}
          error={error}
          hint="One per line, in the words in which people ask"
        />
        <TextArea
          label="Answer"
          name="answer"
          required
          rows={6}
          autofocus={questions.length > 0}
          dir="auto"
          defaultValue={before?.answer ?? ''}
          error={error}
        />
        <DocumentChoice kbId={props.kbId} initial={before?.sources ?? []} onChange={setSources} />
        <Select
          label="Access"
          name="kind"
          initial={hasRule ? 'own' : 'default'}
          onChange={(event) => {
            setHasRule(event.currentTarget.value === 'own');
          }}
        >
          <option value="default">whoever may read its documents, else the default</option>
          <option value="own">these users and groups</option>
        </Select>
        {hasRule && <RuleFields rule={before?.access ?? null} error={error} />}
        <Input
          label="Review on"
          name="review_on"
          type="date"
          defaultValue={before?.review_at?.slice(0, 10) ?? ''}
          error={error}
          hint="When its owner should check it"
        />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Save" busy={busy} />
      </form>
    </Dialog>
  );
}

/** Removes line breaks, because each line of the field is a question. */
const onOneLine = (question: string): string => question.replace(/\s+/g, ' ').trim();
