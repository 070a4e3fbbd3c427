import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const forms = new Set<symbol>();

/** Whether a form on the page has changes that were not saved. */
export const hasUnsaved = () => forms.size > 0;

/** Before leaving a page whose forms have become pointless. */
export const discardUnsaved = () => {
  forms.clear();
};

addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});

/** Knows whether what a form says differs from what is saved, so that nobody leaves it unawares. */
export function useUnsaved() {
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef('');
  const [isDirty, setDirty] = useState(false);
  const [id] = useState(Symbol);
  const text = () => (form.current ? JSON.stringify([...new FormData(form.current)]) : '');
  // Before anything can be typed.
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
    /** What the form must have. */
    guard: {
      ref: form,
      class: isDirty ? 'dirty' : '',
      onInput: () => {
        mark(text() !== saved.current);
      },
    },
    /** Called before what it says is sent; what this returns, once that is saved. */
    sending: () => {
      const sent = text();
      return () => {
        saved.current = sent;
        mark(text() !== sent);
      };
    },
  };
}
