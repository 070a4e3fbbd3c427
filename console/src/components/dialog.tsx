import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useChange } from '../load.js';
import { Alert } from './basics.js';

/** A modal dialog; the browser keeps the focus inside, and gives it back. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  /** Escape does not close it, since what it shows is seen only once. */
  persistent?: boolean;
  /** It takes all the room there is. */
  wide?: boolean;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={props.wide === true ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (props.persistent !== true) props.onClose();
      }}
      onKeyDown={(event) => {
        // A second Escape would close the dialog without asking.
        if (event.key === 'Escape' && props.persistent === true) event.preventDefault();
      }}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

/** The buttons of a form in a dialog: one cancels, the other submits it. */
export function DialogButtons(props: {
  onClose: () => void;
  /** The label of the button that submits the form, such as “Save”. */
  action: string;
  busy: boolean;
  isDangerous?: boolean;
}) {
  return (
    <menu>
      <button type="button" onClick={props.onClose}>
        Cancel
      </button>
      <button class={props.isDangerous === true ? 'danger' : 'primary'} disabled={props.busy}>
        {props.action}
      </button>
    </menu>
  );
}

/** Asks the user to confirm something that deletes much or takes long. */
export function Confirm(props: {
  title: string;
  /** Of the button that does it, such as “Delete 3 documents”. */
  action: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** Must be typed first, for what takes much with it. */
  phrase?: string;
  /** It takes nothing with it. */
  isHarmless?: boolean;
  children: ComponentChildren;
}) {
  const typed = useRef<HTMLInputElement>(null);
  const { run, busy, error } = useChange(async () => {
    if (props.phrase !== undefined && typed.current?.value.trim() !== props.phrase.trim()) {
      typed.current?.focus();
      return;
    }
    await props.onConfirm();
    props.onClose();
  });
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <div>{props.children}</div>
        {props.phrase !== undefined && (
          <label>
            Type <strong>{props.phrase}</strong> to confirm
            <input ref={typed} autocomplete="off" required />
          </label>
        )}
        <Alert error={error} />
        <DialogButtons
          onClose={props.onClose}
          action={props.action}
          busy={busy}
          isDangerous={props.isHarmless !== true}
        />
      </form>
    </Dialog>
  );
}
