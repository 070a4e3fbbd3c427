import { useLocation } from 'wouter-preact';
import { Dialog } from '../components/dialog.js';
import { useShared } from '../load.js';
import { listPageGroups } from '../navigation.js';
import { KEYS, setShortcuts, useShortcutsSetting } from '../shortcuts.js';

/** All shortcuts, and whether single keys do anything. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const { isRunning } = useShared();
  const isOn = useShortcutsSetting();
  const [path] = useLocation();
  const pages = path.startsWith('/kbs/')
    ? listPageGroups(isRunning).flatMap((group) => group.pages)
    : [];
  const goings = [
    ['h', 'Knowledge bases'] as const,
    ...pages.flatMap(({ shortcut, label }) =>
      shortcut === undefined ? [] : [[shortcut, label] as const],
    ),
  ];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} side>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setShortcuts(event.currentTarget.checked);
          }}
        />
        <span>
          Single keys do something
          <small class="quiet">
            Never while you type. <kbd>Ctrl</kbd> <kbd>K</kbd> or <kbd>⌘</kbd> <kbd>K</kbd> works in
            any case.
          </small>
        </span>
      </label>
      <h3>On every page</h3>
      <dl class="facts keys">
        {KEYS.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <h3>Go to</h3>
      <dl class="facts keys">
        {goings.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
