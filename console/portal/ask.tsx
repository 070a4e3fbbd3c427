import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PortalError } from './api.js';

/** The codes of problems after which the page shows nothing more of the key. */
const ENDS = new Set([
  'api_key_revoked',
  'api_key_expired',
  'invalid_api_key',
  'portal_session_required',
]);

interface Props {
  /** The label of the button that asks. */
  readonly action: string;
  readonly question: string;
  /** The label of the button that does it; `action` by default. */
  readonly confirm?: string;
  readonly isDangerous?: boolean;
  readonly run: () => Promise<void>;
  readonly onEnded: (error: unknown) => void;
  readonly children: ComponentChildren;
}

/** A button that asks before it does something. */
export function Ask(props: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <p class="actions">
        <button
          type="button"
          class={props.isDangerous === true ? 'danger' : ''}
          onClick={() => {
            setAsking(true);
          }}
        >
          {props.action}
        </button>
      </p>
      {isAsking && (
        <Question
          {...props}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </>
  );
}

function Question(props: Props & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await props.run();
      props.onClose();
    } catch (error) {
      if (error instanceof PortalError && !ENDS.has(error.code)) setProblem(error.message);
      else props.onEnded(error);
    }
    setBusy(false);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) props.onClose();
      }}
    >
      <h2 id={id} dir="auto">
        {props.question}
      </h2>
      {props.children}
      {problem !== undefined && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      <menu>
        <button type="button" disabled={busy} onClick={props.onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={props.isDangerous === true ? 'danger' : 'primary'}
          disabled={busy}
          onClick={() => void run()}
        >
          {props.confirm ?? props.action}
        </button>
      </menu>
    </dialog>
  );
}
