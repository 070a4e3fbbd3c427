import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

/** How long a notice is shown: long enough for slow readers. */
export const NOTICE_MS = 10_000;

/** How long one is shown that can be undone: long enough to find the button. */
export const UNDO_MS = 20_000;

export interface Notice {
  /** Empty for none. */
  readonly text: string;
  /** Takes back what the notice says. */
  readonly undo?: (() => void) | undefined;
  /** Keeps the notice while it is read or used, and lets it go. */
  readonly hold: (isHeld: boolean) => void;
}

export const NO_NOTICE: Notice = { text: '', hold: () => undefined };

/** The current notice. */
export const NoticeContext = createContext<Notice>(NO_NOTICE);

const places: symbol[] = [];
const changed = new EventTarget();

/**
 * Shows a notice, such as that a change is saved. There is one toast in the page and one in each dialog; only the
 * topmost shows it, since a modal dialog hides the page beneath.
 */
export function Toast() {
  const { text, undo, hold } = useContext(NoticeContext);
  const [place] = useState(Symbol);
  const [isTop, setTop] = useState(false);
  useEffect(() => {
    const update = () => {
      setTop(places.at(-1) === place);
    };
    places.push(place);
    changed.addEventListener('change', update);
    changed.dispatchEvent(new Event('change'));
    return () => {
      places.splice(places.indexOf(place), 1);
      changed.removeEventListener('change', update);
      changed.dispatchEvent(new Event('change'));
    };
  }, []);
  const holding = (isHeld: boolean) => () => {
    hold(isHeld);
  };
  return (
    <p
      class={undo ? 'notice undoable' : 'notice'}
      role="status"
      aria-live="polite"
      onPointerEnter={holding(true)}
      onPointerLeave={holding(false)}
      onFocusIn={holding(true)}
      onFocusOut={holding(false)}
    >
      {isTop ? text : ''}
      {isTop && text !== '' && undo && (
        <button type="button" onClick={undo}>
          Undo
        </button>
      )}
    </p>
  );
}
