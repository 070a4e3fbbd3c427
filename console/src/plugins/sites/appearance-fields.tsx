import { useState } from 'preact/hooks';
import type { Site } from '../../api.js';
import { Input, Select } from '../../components/field.js';
import '../../styles/places.css';

/** The blue that the widget has by itself. */
const DEFAULT_ACCENT = '#0b57d0';

/** How the chat looks. */
export function AppearanceFields({ theme, error }: { theme: Site['theme']; error: unknown }) {
  const [accent, setAccent] = useState(theme.accent ?? '');
  const isFull = /^#[0-9a-f]{6}$/i.test(accent);
  return (
    <fieldset>
      <legend>Appearance</legend>
      <div class="accent-field">
        <Input
          label="Accent colour"
          name="accent"
          dir="ltr"
          pattern="#[0-9a-fA-F]{3,8}"
          maxLength={9}
          value={accent}
          onInput={(event) => {
            setAccent(event.currentTarget.value);
          }}
          error={error}
          hint="Such as #0b6e4f; blue if left empty"
        />
        <input
          type="color"
          aria-label="Pick the accent colour"
          value={isFull ? accent : DEFAULT_ACCENT}
          onInput={(event) => {
            setAccent(event.currentTarget.value);
          }}
        />
      </div>
      <div class="columns">
        <Select
          label="Position"
          name="position"
          initial={theme.position ?? 'right'}
          hint="Pages from right to left mirror it"
        >
          <option value="right">bottom right</option>
          <option value="left">bottom left</option>
        </Select>
        <Select label="Colour scheme" name="color_scheme" initial={theme.color_scheme ?? 'auto'}>
          <option value="auto">as the visitor’s system</option>
          <option value="light">light</option>
          <option value="dark">dark</option>
        </Select>
      </div>
    </fieldset>
  );
}
