import { useMemo, useRef, useState } from 'preact/hooks';
import { describe } from './api.js';
import { NO_NOTICE, type Notice, NOTICE_MS, UNDO_MS } from './components/toast.js';
import type { Shared } from './load.js';

/**
 * The notice that is shown for a while, longer while the pointer or the focus is on it.
 *
 * @param onUndone called when something was taken back, so that the page shows it
 */
export function useNotice(onUndone: () => void): { notice: Notice; notify: Shared['notify'] } {
  const [shown, setShown] = useState<Omit<Notice, 'hold'>>(NO_NOTICE);
  const timer = useRef<number>();
  const { notify, hold } = useMemo(() => {
    const hide = () => {
      setShown(NO_NOTICE);
    };
    const wait = (ms: number) => {
      clearTimeout(timer.current);
      timer.current = window.setTimeout(hide, ms);
    };
    const notify: Shared['notify'] = (text, { undo } = {}) => {
      const takeBack = () => {
        // A second press would take it back twice.
        hide();
        undo?.().then(
          () => {
            notify('Undone.');
            onUndone();
          },
          (error: unknown) => {
            notify(describe(error));
          },
        );
      };
      setShown({ text, ...(undo && { undo: takeBack }) });
      wait(undo ? UNDO_MS : NOTICE_MS);
    };
    const hold = (isHeld: boolean) => {
      if (isHeld) clearTimeout(timer.current);
      else wait(NOTICE_MS);
    };
    return { notify, hold };
  }, []);
  return { notice: { ...shown, hold }, notify };
}
