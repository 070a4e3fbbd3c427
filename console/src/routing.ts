import { useEffect, useState } from 'preact/hooks';

export { Link } from 'wouter-preact';

/** What stands behind the # of the address. */
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
