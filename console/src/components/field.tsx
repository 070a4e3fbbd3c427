import type {
  AriaAttributes,
  ComponentChildren,
  InputHTMLAttributes,
  JSX,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { fieldError } from '../api.js';

interface Common {
  readonly label: string;
  readonly name: string;
  /** The error of the last attempt; its message about this field is shown here. */
  readonly error?: unknown;
  readonly hint?: ComponentChildren | undefined;
}

type InputProps = Common & Omit<InputHTMLAttributes, keyof Common>;
type AreaProps = Common & Omit<TextareaHTMLAttributes, keyof Common>;
type SelectProps = Common &
  Omit<SelectHTMLAttributes, keyof Common | 'defaultValue'> & {
    /** The initial value, also after a reset of the form. */
    readonly initial?: string;
  };

function Field(
  { label, name, error, hint }: Common,
  control: (attributes: { id: string; name: string } & AriaAttributes) => JSX.Element,
) {
  const id = useId();
  const message = fieldError(error, name);
  const described = [hint !== undefined && `${id}-hint`, message !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({
        id,
        name,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(message !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
      {message !== undefined && (
        <small id={`${id}-error`} class="wrong">
          {message}
        </small>
      )}
    </div>
  );
}

/** Types of inputs for text, whose direction depends on its language. */
const DIRECTED = new Set<unknown>([undefined, 'text', 'search']);

export function Input({ label, name, error, hint, ...rest }: InputProps) {
  return Field({ label, name, error, hint }, (attributes) => (
    <input dir={DIRECTED.has(rest.type) ? 'auto' : undefined} {...rest} {...attributes} />
  ));
}

export function TextArea({ label, name, error, hint, ...rest }: AreaProps) {
  return Field({ label, name, error, hint }, (attributes) => (
    <textarea rows={3} dir="auto" {...rest} {...attributes} />
  ));
}

export function Select({ label, name, error, hint, initial, children, ...rest }: SelectProps) {
  const select = useRef<HTMLSelectElement>(null);
  // A layout effect runs before the form is painted, so that nobody submits another choice.
  useLayoutEffect(() => {
    for (const option of select.current?.options ?? []) {
      if (initial !== undefined) option.defaultSelected = option.value === initial;
    }
  }, []);
  return Field({ label, name, error, hint }, (attributes) => (
    <select ref={select} {...rest} {...attributes}>
      {children}
    </select>
  ));
}

/** Reads the fields of a form, without empty ones. */
export function readFields(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
  );
  return Object.fromEntries(entries);
}

export const toNumber = (text: string | undefined) => (text === undefined ? null : Number(text));

/** @param subject the subject of the error message, such as “The filter” */
export function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${subject} is not well-formed JSON.`);
  }
}

/** Formats a time for a `datetime-local` field. */
export function localTime(at: string | null | undefined): string {
  if (at === null || at === undefined) return '';
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Finds the fields that differ from before, so that a change does not undo changes of others. */
export function findChanges<T extends object>(
  next: T,
  before: Partial<Record<keyof T, unknown>>,
): Partial<T> {
  const changed = Object.entries(next).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T] ?? null),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
