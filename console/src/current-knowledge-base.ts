import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { KnowledgeBase } from './api.js';

/** The knowledge base of the page, and a function that reloads it after a change. */
export interface Current {
  readonly kb: KnowledgeBase;
  readonly mayChange: boolean;
  readonly isOwner: boolean;
  readonly reload: () => void;
}

export const CurrentContext = createContext<Current | null>(null);

export function useKnowledgeBase(): Current {
  const current = useContext(CurrentContext);
  if (!current) throw new Error('There is no knowledge base');
  return current;
}
