import { useEffect, useState } from 'preact/hooks';
import { discardUnsaved, hasUnsaved } from '../unsaved.js';
import { Dialog } from './dialog.js';

type Leave = () => void;

let ask: ((leave: Leave) => void) | undefined;

/** Leaves a page, and asks first if it has unsaved changes. Another view of the same page is not asked about. */
export function leaveFor(path: string, leave: Leave): void {
  const isSamePage = path.split(/[?#]/)[0] === location.pathname;
  if (ask && hasUnsaved() && !isSamePage) ask(leave);
  else leave();
}

/** Asks whether to discard unsaved changes. */
export function LeaveGuard() {
  const [leave, setLeave] = useState<{ go: Leave }>();
  useEffect(() => {
    ask = (go) => {
      setLeave({ go });
    };
    // The Navigation API handles the back button; browsers without it leave unasked.
    const navigation = 'navigation' in window ? window.navigation : undefined;
    const traverse = (event: NavigateEvent) => {
      const { key, url } = event.destination;
      if (event.navigationType !== 'traverse' || !event.cancelable || !hasUnsaved()) return;
      if (new URL(url).pathname === location.pathname) return;
      event.preventDefault();
      setLeave({
        go: () => {
          navigation?.traverseTo(key);
        },
      });
    };
    navigation?.addEventListener('navigate', traverse);
    return () => {
      ask = undefined;
      navigation?.removeEventListener('navigate', traverse);
    };
  }, []);
  if (!leave) return null;
  const stay = () => {
    setLeave(undefined);
  };
  return (
    <Dialog title="Leave without saving?" onClose={stay}>
      <p>What you have changed on this page is lost.</p>
      <menu>
        <button
          type="button"
          class="danger"
          onClick={() => {
            discardUnsaved();
            stay();
            leave.go();
          }}
        >
          Leave
        </button>
        <button type="button" class="primary" onClick={stay}>
          Stay
        </button>
      </menu>
    </Dialog>
  );
}
