import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

/** How long a notice is shown: enough for whoever reads slowly, or looks elsewhere. */
export const NOTICE_MS = 10_000;

/** What is said in passing; empty for nothing. */
export const NoticeContext = createContext('');

const places: symbol[] = [];
const changed = new EventTarget();

/**
 * Says what has happened, such as that a change is saved. There is one in the page and one in each
 * dialog; the topmost speaks, since a modal dialog hides what is beneath it.
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
