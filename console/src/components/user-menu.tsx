import { useShared } from '../load.js';
import { setShortcuts, useShortcutsSetting } from '../shortcuts.js';
import { setTheme, THEMES, useTheme } from '../theme.js';
import { Icon } from './icon.js';

/** Of the service, with which the console is built; see vite.config.ts. */
declare const VERSION: string;

const ID = 'user-menu';

/** Opens the user menu: at the foot of the sidebar with the user's name, in the phone's bar with a picture. */
export function UserButton({ isSmall = false }: { isSmall?: boolean }) {
  const { user } = useShared();
  return isSmall ? (
    <button type="button" class="plain icon-only" aria-label="You" popovertarget={ID}>
      <Icon name="user" />
    </button>
  ) : (
    <button type="button" class="plain user" popovertarget={ID} title={user}>
      <Icon name="user" />
      <span dir="auto">{user ?? 'You'}</span>
      <Icon name="more" />
    </button>
  );
}

/** The place of the language chooser. */
function LanguageSlot() {
  return null;
}

/** What the user sets for themselves, and the way out. */
export function UserMenu() {
  const { user, help, signOut } = useShared();
  const theme = useTheme();
  const hasShortcuts = useShortcutsSetting();
  return (
    <div id={ID} class="user-menu" popover="auto" role="dialog" aria-label="You">
      {user !== undefined && (
        <p class="who" dir="auto">
          {user}
        </p>
      )}
      <fieldset class="segments">
        <legend>Theme</legend>
        {THEMES.map(([name, label]) => (
          <label key={name}>
            <input
              type="radio"
              name="theme"
              checked={theme === name}
              onChange={() => {
                setTheme(name);
              }}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <LanguageSlot />
      <label class="check">
        <input
          type="checkbox"
          checked={hasShortcuts}
          onChange={(event) => {
            setShortcuts(event.currentTarget.checked);
          }}
        />
        <span>Single-key shortcuts</span>
      </label>
      <ul>
        <li>
          <button
            type="button"
            class="plain"
            onClick={() => {
              document.getElementById(ID)?.hidePopover();
              help();
            }}
          >
            <Icon name="keyboard" /> Keyboard shortcuts <kbd>?</kbd>
          </button>
        </li>
        <li>
          <a href="/docs/guide">
            <Icon name="book" /> Guide
          </a>
        </li>
        <li>
          <a href="/docs">
            <Icon name="code" /> API
          </a>
        </li>
        {user !== undefined && (
          <li>
            <button type="button" class="plain" onClick={signOut}>
              <Icon name="leave" /> Sign out
            </button>
          </li>
        )}
      </ul>
      <p class="quiet">Latchkey {VERSION}</p>
    </div>
  );
}
