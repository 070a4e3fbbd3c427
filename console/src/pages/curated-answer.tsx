import { useState } from 'preact/hooks';
import { linesOf } from '../access-words.js';
import type { CuratedAnswer } from '../api.js';
import { RuleFields, ruleOf } from '../components/access-rule.js';
import { Alert } from '../components/basics.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { changesOf, fieldsOf, Input, Select, TextArea } from '../components/field.js';
import { useChange, useShared } from '../load.js';

/** Writes a curated answer, or changes `before`. */
export function CuratedAnswerDialog(props: {
  kbId: string;
  /** That it is written for. */
  question?: string | undefined;
  before?: CuratedAnswer;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { before } = props;
  const { api } = useShared();
  const [hasRule, setHasRule] = useState(Boolean(before?.access));
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const fields = fieldsOf(form);
    const { review_on } = fields;
    const body = {
      questions: linesOf(fields['questions']),
      answer: fields['answer'] ?? '',
      sources: linesOf(fields['sources']),
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
          autofocus={props.question === undefined}
          defaultValue={before?.questions.join('\n') ?? props.question?.replace(/\s+/g, ' ') ?? ''}
          error={error}
          hint="One on each line, in the words in which people ask"
        />
        <TextArea
          label="Answer"
          name="answer"
          required
          rows={6}
          autofocus={props.question !== undefined}
          defaultValue={before?.answer ?? ''}
          error={error}
        />
        <TextArea
          label="Documents"
          name="sources"
          rows={2}
          defaultValue={before?.sources.join('\n') ?? ''}
          error={error}
          hint={
            <>
              That say the same: an id such as <code>doc_…</code>, which is in a document’s address,
              on each line
            </>
          }
        />
        <Select
          label="Access"
          name="kind"
          initial={hasRule ? 'own' : 'default'}
          onChange={(event) => {
            setHasRule(event.currentTarget.value === 'own');
          }}
        >
          <option value="default">the default of the knowledge base</option>
          <option value="own">these users and groups</option>
        </Select>
        {hasRule && <RuleFields rule={before?.access ?? null} error={error} />}
        <Input
          label="Review on"
          name="review_on"
          type="date"
          defaultValue={before?.review_at?.slice(0, 10) ?? ''}
          error={error}
          hint="When somebody should look whether it is still right"
        />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Save" busy={busy} />
      </form>
    </Dialog>
  );
}
