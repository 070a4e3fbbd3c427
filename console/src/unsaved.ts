import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const forms = new Set<symbol>();

/** Whether a form on the page has changes that were not saved. */
export const hasUnsaved = () => forms.size > 0;

/** Discards changes before leaving a page whose forms are no longer needed. */
export const discardUnsaved = () => {
  forms.clear();
};

addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});

/** Tracks whether a form differs from what is saved, so that nobody leaves it by mistake. */
export function useUnsaved() {
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef('');
  const [isDirty, setDirty] = useState(false);
  const [id] = useState(Symbol);
  const text = () => (form.current ? JSON.stringify([...new FormData(form.current)]) : '');
  // A layout effect runs before anything can be typed.
  useLayoutEffect(() => {
    saved.current = text();
    return () => {
      forms.delete(id);
    };
  }, []);
  const mark = (isChanged: boolean) => {
    setDirty(isChanged);
    if (isChanged) forms.add(id);
    else forms.delete(id);
  };
  return {
    isDirty,
    /** Attributes for the form. */
    guard: {
      ref: form,
      class: isDirty ? 'dirty' : '',
      onInput: () => {
        mark(text() !== saved.current);
      },
    },
    /** Call it before the form is sent, and the function that it returns once that is saved. */
    sending: () => {
      const sent = text();
      return () => {
        saved.current = sent;
        mark(text() !== sent);
      };
    },
  };
}
