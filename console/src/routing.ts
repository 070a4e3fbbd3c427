import { useEffect, useState } from 'preact/hooks';

export { Link } from 'wouter-preact';

/** The fragment of the address, without the `#`. */
export function useHashLocation(): string {
  const [hash, setHash] = useState(location.hash.slice(1));
  useEffect(() => {
    const change = () => {
      setHash(location.hash.slice(1));
    };
    addEventListener('hashchange', change);
    return () => {
      removeEventListener('hashchange', change);
    };
  }, []);
  return hash;
}
