import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { actOnMany } from '../act-on-many.js';
import { describe } from '../api.js';
import { useShared } from '../load.js';
import { Confirm } from './dialog.js';

/**
 * Asks for confirmation before an action on many rows. If it is closed meanwhile, the remaining rows are left
 * alone; after a failure it offers the rows that are left.
 */
export function ConfirmMany<Row>(props: {
  rows: readonly Row[];
  title: (rows: readonly Row[]) => string;
  /** The label of the button, such as “Delete 3 documents”. */
  action: (rows: readonly Row[]) => string;
  act: (row: Row) => Promise<unknown>;
  /** The notice about the rows that succeeded. */
  said: (count: number) => string;
  onEnded: () => void;
  onClose: () => void;
  children: (rows: readonly Row[]) => ComponentChildren;
}) {
  const { notify } = useShared();
  const [rows, setRows] = useState(props.rows);
  return (
    <Confirm
      title={props.title(rows)}
      action={props.action(rows)}
      onClose={props.onClose}
      onConfirm={async (signal) => {
        const { done, error } = await actOnMany(rows, props.act, signal);
        props.onEnded();
        const isSaid = error !== undefined && signal.aborted;
        const words = [done.size > 0 && props.said(done.size), isSaid && describe(error)];
        if (words.some(Boolean)) notify(words.filter(Boolean).join(' '));
        // A closed dialog cannot show the error, so the notice did.
        if (error === undefined || signal.aborted) return;
        setRows(rows.filter((row) => !done.has(row)));
        throw error;
      }}
    >
      {props.children(rows)}
    </Confirm>
  );
}
