import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../src/components/basics.js';
import { Connect } from '../src/components/connect.js';
import type { Rotation } from './api.js';
import { dateTime } from './words.js';

/** The only place where the new secret is ever shown. */
export function NewKey({ rotated }: { rotated: Rotation }) {
  const { api_key: secret, replaced_until: until } = rotated;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView();
    // Whoever leaves without the key has to ask for another one.
    const remind = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    addEventListener('beforeunload', remind);
    return () => {
      removeEventListener('beforeunload', remind);
    };
  }, []);
  const isOver = until !== null && Date.parse(until) <= Date.now();
  return (
    <section ref={section} aria-label="Your new key" class="new-key">
      <h2>Your new key</h2>
      <p>Store it now: it is shown only here, and only until you leave this page.</p>
      <p>
        <code class="secret" dir="ltr">
          {secret}
        </code>
      </p>
      <p class="actions">
        <CopyButton text={secret} label="Copy the key" />
      </p>
      <p>
        <strong>
          {until === null
            ? 'Your old key goes on working.'
            : isOver
              ? 'Your old key has stopped.'
              : `Your old key works until ${dateTime(until)}.`}
        </strong>{' '}
        {!isOver && 'Change over before then; nothing else has to be done.'}
      </p>
      {rotated.is_bound ? (
        <p>Each request with it needs a proof of your key pair, as with the old one.</p>
      ) : (
        <Connect secret={secret} url={new URL('.', location.href).href.replace(/\/$/, '')} />
      )}
    </section>
  );
}
