import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { describe, isNotFound, listWrongFields } from '../api.js';
import { NOTICE_MS } from './toast.js';

/** What went wrong; where fields say it themselves, it only leads there. */
export function Alert({ error }: { error: unknown }) {
  const place = useRef<HTMLParagraphElement>(null);
  const [isAtFields, setAtFields] = useState(false);
  useLayoutEffect(() => {
    const form = place.current?.closest('form');
    const wrong = listWrongFields(error).map((name) =>
      form?.querySelector<HTMLElement>(`[aria-invalid][name="${CSS.escape(name)}"]`),
    );
    const isShown = wrong.length > 0 && wrong.every((field) => field);
    setAtFields(isShown);
    if (isShown) wrong[0]?.focus();
  }, [error]);
  return error === undefined ? null : (
    <p class="alert" role="alert" ref={place}>
      {isAtFields ? 'Not saved. Change what is marked.' : describe(error)}
    </p>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

/** Placeholder lines for text, or for rows of a table, until it is loaded. */
export function Loading({ error, rows = 0 }: { error: unknown; rows?: number }) {
  return error === undefined ? (
    <div class={rows > 0 ? 'skeleton of-rows' : 'skeleton'} role="status" aria-busy="true">
      <span class="unseen">Loading…</span>
      {Array.from({ length: rows > 0 ? rows : 3 }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  ) : (
    <>
      <Alert error={error} />
      {!isNotFound(error) && (
        <button
          type="button"
          onClick={() => {
            location.reload();
          }}
        >
          Try again
        </button>
      )}
    </>
  );
}

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A time in the reader's zone, as “3 hours ago”. */
export function Time({ at, none = 'never' }: { at: string | null | undefined; none?: string }) {
  if (at === null || at === undefined) return <span class="quiet">{none}</span>;
  const date = new Date(at);
  const seconds = (date.getTime() - Date.now()) / 1000;
  // “14 months ago” says more than “last year”.
  const [unit, size] = UNITS.find(
    ([name, each]) => Math.abs(seconds) >= (name === 'year' ? 2 * each : each),
  ) ?? ['minute', 60];
  const text =
    Math.abs(seconds) < 60 ? 'just now' : RELATIVE.format(Math.round(seconds / size), unit);
  return (
    <time dateTime={at} title={DATE_TIME.format(date)}>
      {text}
    </time>
  );
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A day in the reader's zone, such as the end of a validity. */
export function Day({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={DATE_TIME.format(date)}>
      {DAY.format(date)}
    </time>
  );
}

export function Badge({ kind, children }: { kind: string; children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** Copies a text, and confirms it for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, setSaid] = useState('');
  const timer = useRef<number>();
  const copy = async () => {
    clearTimeout(timer.current);
    // Cleared first, so that screen readers announce it again.
    setSaid('');
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied.');
    } catch {
      setSaid('Select the text and copy it yourself: the browser does not allow it here.');
    }
    timer.current = window.setTimeout(() => {
      setSaid('');
    }, NOTICE_MS);
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      <span class="quiet" role="status">
        {said}
      </span>
    </>
  );
}

const NUMBER = new Intl.NumberFormat();

export const number = (value: number) => NUMBER.format(value);

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${number(count)} ${count === 1 ? one : many}`;

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function bytes(value: number): string {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: SIZES[power] ?? 'byte',
    // “6 byte” is what the short form says.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(value / 1000 ** power);
}

export const percent = (share: number | null | undefined) =>
  share === null || share === undefined
    ? '–'
    : new Intl.NumberFormat(undefined, { style: 'percent' }).format(share);

export { RowAction } from './row-actions.js';
