import { useLocation, useSearch } from 'wouter-preact';

type Values<Name extends string> = Partial<Record<Name, string | undefined>>;

/** @param options whether the step of the back button is replaced */
type Change<Name extends string> = (values: Values<Name>, options?: { replace: boolean }) => void;

/** Parameters of the address, so that a view can be shared and the back button restores the one before. */
export function useSearchParams<Name extends string>(
  names: readonly Name[],
): [Partial<Record<Name, string>>, Change<Name>] {
  const [location, go] = useLocation();
  const search = new URLSearchParams(useSearch());
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search.get(name);
    if (value !== null) values[name] = value;
  }
  return [
    values,
    (next, options) => {
      const changed = new URLSearchParams(search);
      for (const name of names) {
        const value = next[name];
        if (value === undefined || value === '') changed.delete(name);
        else changed.set(name, value);
      }
      const text = changed.toString();
      go(location + (text === '' ? '' : `?${text}`), options);
    },
  ];
}

/**
 * A dialog that stands in the address as `?open=`, so that a link and the finder open it.
 *
 * @returns whether it is open, and what opens or closes it
 */
export function useDialogInAddress(name: string): [boolean, (isOpen: boolean) => void] {
  const [{ open }, set] = useSearchParams(['open']);
  return [
    open === name,
    (isOpen) => {
      set({ open: isOpen ? name : undefined });
    },
  ];
}

/** The parameters by which a list is filtered; a change returns to the first page. */
export function useFilter<Name extends string>(
  names: readonly Name[],
): [Partial<Record<Name, string>>, Change<Name>] {
  const [filter] = useSearchParams(names);
  const [, set] = useSearchParams<string>([...names, 'after', 'page']);
  return [filter, set];
}
