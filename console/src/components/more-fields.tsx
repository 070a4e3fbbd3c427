import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Fields that most forms are sent without. They are shown if the browser or the service refuses one of them. */
export function MoreFields(props: { isOpen: boolean; children: ComponentChildren }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (details.current?.querySelector('[aria-invalid]')) details.current.open = true;
  });
  return (
    <details
      ref={details}
      open={props.isOpen}
      onInvalidCapture={(event) => {
        event.currentTarget.open = true;
      }}
    >
      <summary>More</summary>
      {props.children}
    </details>
  );
}
