import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

/** How long a notice is shown: long enough for slow readers. */
export const NOTICE_MS = 10_000;

/** The current notice; empty for none. */
export const NoticeContext = createContext('');

const places: symbol[] = [];
const changed = new EventTarget();

/**
 * Shows a notice, such as that a change is saved. There is one toast in the page and one in each dialog; only the
 * topmost shows it, since a modal dialog hides the page beneath.
 */
export function Toast() {
  const notice = useContext(NoticeContext);
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
  return (
    <p class="notice" role="status" aria-live="polite">
      {isTop ? notice : ''}
    </p>
  );
}
