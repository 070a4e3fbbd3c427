import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Dialog } from '../components/dialog.js';
import { Icon } from '../components/icon.js';
import { type Place, usePlaces } from './finder-places.js';

/** Goes to a page or an object, or does something, by a few letters of its name or by an id. */
export function Finder({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const places = usePlaces(text.trim());
  const current = places[Math.min(chosen, places.length - 1)];
  const open = (place: Place | undefined) => {
    if (!place) return;
    onClose();
    if (place.path !== undefined) go(place.path);
    place.run?.();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        class="find"
        onSubmit={(event) => {
          event.preventDefault();
          open(current);
        }}
      >
        <input
          type="search"
          role="combobox"
          aria-label="Go to"
          aria-expanded="true"
          aria-controls="places"
          aria-activedescendant={current && toId(current)}
          autocomplete="off"
          autofocus
          dir="auto"
          placeholder="A page, an action, a name or an id"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step === undefined || places.length === 0) return;
            event.preventDefault();
            setChosen((chosen + step + places.length) % places.length);
          }}
        />
        <ul id="places" role="listbox" aria-label="Places">
          {places.map((place) => (
            <li
              key={place.id}
              id={toId(place)}
              role="option"
              aria-selected={place === current}
              onClick={() => {
                open(place);
              }}
              onPointerMove={() => {
                setChosen(places.indexOf(place));
              }}
            >
              <Icon name={place.icon} />
              <span dir="auto">{place.label}</span>
              <span class="quiet">{place.kind}</span>
            </li>
          ))}
        </ul>
        <p class="quiet" role="status">
          {places.length === 0 ? 'Nothing fits.' : ''}
        </p>
      </form>
    </Dialog>
  );
}

const toId = ({ id }: Place) => `place ${id}`.replaceAll(/\W+/g, '-');
