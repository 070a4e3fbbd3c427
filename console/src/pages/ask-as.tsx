import { entriesWords, toPrincipals } from '../access-words.js';
import { PersonFields } from '../components/access-rule.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { readFields } from '../components/field.js';

/** Asks for a person's id and groups, to test the answers that they would get. */
export function AskAsDialog(props: {
  onClose: () => void;
  onChosen: (principals: readonly string[]) => void;
}) {
  return (
    <Dialog title="Ask as…" onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { user, groups } = readFields(event.currentTarget);
          props.onChosen(toPrincipals(user, groups));
        }}
      >
        <p>
          Answers rest only on documents that this person may read. Leave both empty for somebody of
          whom nothing is known. Each question is recorded in the audit.
        </p>
        <PersonFields />
        <DialogButtons onClose={props.onClose} action="Ask as this person" busy={false} />
      </form>
    </Dialog>
  );
}

export function AskedAs(props: { principals: readonly string[]; onEnd: () => void }) {
  const { principals } = props;
  const who =
    principals.length === 0 ? 'somebody of whom nothing is known' : entriesWords(principals);
  return (
    <div class="asked-as">
      <p role="status">
        You ask as <strong>{who}</strong>. Each question is recorded in the audit.
      </p>
      <button type="button" onClick={props.onEnd}>
        Ask as yourself
      </button>
    </div>
  );
}
