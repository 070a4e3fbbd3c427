import { type ComponentChildren, createContext } from 'preact';
import {
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks';
import { useChange } from '../load.js';
import { Alert } from './basics.js';
import { Icon } from './icon.js';
import { Toast } from './toast.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Whether Escape does not close it, because its content is shown only once. */
  persistent?: boolean;
  /** Whether it fills the window. */
  wide?: boolean;
  /** Whether it is a panel at the side, beside the page. */
  side?: boolean;
  children: ComponentChildren;
}

interface View {
  /** The id of its heading. */
  readonly id: string;
  readonly close: { readonly current: () => void };
}

/** Set inside a panel: a dialog opened there replaces the content of the panel. */
const PanelContext = createContext<((view: View | undefined) => void) | null>(null);

/** A modal dialog or a side panel. Opened in a panel, it becomes a view of that panel, so dialogs do not stack. */
export function Dialog(props: DialogProps) {
  const setView = useContext(PanelContext);
  return setView ? <PanelView {...props} setView={setView} /> : <ModalDialog {...props} />;
}

/** The browser keeps the focus inside, and gives it back. */
function ModalDialog(props: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [view, setView] = useState<View>();
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const classes = [props.wide === true && 'wide', props.side === true && 'side'];
  return (
    <dialog
      ref={dialog}
      class={classes.filter(Boolean).join(' ')}
      aria-labelledby={view?.id ?? id}
      onCancel={(event) => {
        event.preventDefault();
        if (view) view.close.current();
        else if (props.persistent !== true) props.onClose();
      }}
      onKeyDown={(event) => {
        // A second Escape would close the dialog without asking.
        if (event.key === 'Escape' && (props.persistent === true || view)) event.preventDefault();
        if (event.key === 'Escape' && view) view.close.current();
      }}
    >
      <h2 id={id} dir="auto">
        {props.title}
      </h2>
      {props.side === true ? (
        <PanelContext.Provider value={setView}>{props.children}</PanelContext.Provider>
      ) : (
        props.children
      )}
      {props.side === true && (
        <button
          type="button"
          class="plain icon-only close"
          aria-label="Close"
          onClick={props.onClose}
        >
          <Icon name="close" />
        </button>
      )}
      <Toast />
    </dialog>
  );
}

function PanelView(props: DialogProps & { setView: (view: View | undefined) => void }) {
  const { setView } = props;
  const element = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = useRef(props.onClose);
  close.current = props.onClose;
  const opener = useMemo(() => document.activeElement, []);
  // A layout effect runs before a key can be pressed.
  useLayoutEffect(() => {
    setView({ id, close });
    const first = '[autofocus], input, select, textarea, button:not(.back)';
    element.current?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      setView(undefined);
      // Once the view is gone, what the panel shows can have the focus again.
      queueMicrotask(() => {
        if (opener instanceof HTMLElement) opener.focus();
      });
    };
  }, []);
  return (
    <div class="view" ref={element}>
      <button type="button" class="link back" onClick={props.onClose}>
        <Icon name="back" directed />
        Back
      </button>
      <h2 id={id} dir="auto">
        {props.title}
      </h2>
      {props.children}
    </div>
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

/** Asks the user to confirm an action that deletes much or takes long. */
export function Confirm(props: {
  title: string;
  /** The label of the button that does it, such as “Delete 3 documents”. */
  action: string;
  /** @param signal aborted when the dialog is closed meanwhile */
  onConfirm: (signal: AbortSignal) => Promise<void>;
  onClose: () => void;
  /** A text that must be typed first, for actions that delete much. */
  phrase?: string;
  /** Whether it deletes nothing. */
  isHarmless?: boolean;
  children: ComponentChildren;
}) {
  const typed = useRef<HTMLInputElement>(null);
  const [closing] = useState(() => new AbortController());
  useEffect(
    () => () => {
      closing.abort();
    },
    [],
  );
  const { run, busy, error } = useChange(async () => {
    if (props.phrase !== undefined && typed.current?.value.trim() !== props.phrase.trim()) {
      typed.current?.focus();
      return;
    }
    await props.onConfirm(closing.signal);
    // If this dialog was closed meanwhile, this would close the next one.
    if (!closing.signal.aborted) props.onClose();
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
