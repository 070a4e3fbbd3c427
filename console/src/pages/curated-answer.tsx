import { useState } from 'preact/hooks';
import { linesOf } from '../access-words.js';
import type { CuratedAnswer } from '../api.js';
import { RuleFields, ruleOf } from '../components/access-rule.js';
import { Alert } from '../components/basics.js';
import { DocumentChoice } from '../components/document-choice.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { changesOf, fieldsOf, Input, Select, TextArea } from '../components/field.js';
import { useChange, useShared } from '../load.js';

/** Writes a curated answer, or changes `before`. */
export function CuratedAnswerDialog(props: {
  kbId: string;
  /** That it is written for. */
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
    const fields = fieldsOf(form);
    const { review_on } = fields;
    const body = {
      questions: linesOf(fields['questions']),
      answer: fields['answer'] ?? '',
      sources,
      access: hasRule ? ruleOf(fields) : null,
      review_at: review_on === undefined ? null : new Date(review_on).toISOString(),
    };
    if (before) {
      await api.patch('/api/v1/curated-answers/{curated_answer_id}', {
        path: { curated_answer_id: before.id },
        body: changesOf(body, before),
      });
    } else {
      await api.post('/api/v1/kbs/{kb_id}/curated-answers', { path: { kb_id: props.kbId }, body });
    }
    props.onSaved();
  });
  return (
    <Dialog
      title={before ? 'Change the curated answer' : 'New curated answer'}
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

/** Each question is a line of its own. */
const onOneLine = (question: string): string => question.replace(/\s+/g, ' ').trim();
