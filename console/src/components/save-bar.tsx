import type { ComponentChildren } from 'preact';

/** The button that saves a form; it stays visible while the form has changes. */
export function SaveBar(props: { isDirty: boolean; children: ComponentChildren }) {
  return (
    <p class="save-bar">
      {props.children}
      <span class="quiet" role="status">
        {props.isDirty ? 'Not saved yet.' : ''}
      </span>
    </p>
  );
}
