import { useEffect, useRef, useState } from 'preact/hooks';
import { removeSecret } from '../without-secret.js';
import { plural } from './basics.js';

const PAUSE_MS = 250;

/**
 * A field that filters a list as one types. The address follows after a pause, and one visit to the field is one
 * step of the back button.
 */
export function SearchFilter(props: {
  label: string;
  /** What the address has. */
  value: string | undefined;
  /** @param options whether the step of the back button is replaced */
  onChange: (text: string, options: { replace: boolean }) => void;
  /** How many rows fit; undefined while they are loading. It is said once they are there. */
  total?: number | undefined;
  placeholder?: string;
  maxLength?: number;
}) {
  const { label, value = '', onChange, total } = props;
  const [text, setText] = useState(value);
  const timer = useRef<number>();
  const sent = useRef(value);
  const hasStep = useRef(false);
  // Something else has changed the address, such as the back button.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const send = (typed: string) => {
    clearTimeout(timer.current);
    const next = removeSecret(typed.trim());
    // A secret must not stay in the page either.
    if (next !== typed.trim()) setText(next);
    if (next === sent.current) return;
    sent.current = next;
    onChange(next, { replace: hasStep.current });
    hasStep.current = true;
  };
  const latest = useRef(send);
  latest.current = send;
  return (
    <>
      <input
        type="search"
        aria-label={label}
        placeholder={props.placeholder ?? label}
        autocomplete="off"
        dir="auto"
        maxLength={props.maxLength}
        value={text}
        onFocus={() => {
          hasStep.current = false;
        }}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          setText(typed);
          clearTimeout(timer.current);
          // By then the page may have other filters, which the latest function knows.
          timer.current = window.setTimeout(() => {
            latest.current(typed);
          }, PAUSE_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(event.currentTarget.value);
        }}
      />
      <span class="unseen" role="status">
        {value !== '' && total !== undefined ? plural(total, 'row') : ''}
      </span>
    </>
  );
}
