import type { ComponentChildren } from 'preact';

/** The button that saves a form: in sight, wherever the form was changed. */
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
