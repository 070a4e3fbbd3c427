import { NotFound } from '../../components/not-found.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { DiffPage } from './diff-page.js';
import { VersionPage } from './version-page.js';

/** The page of one version, or of what changed since the one before: `/{version}` or `/{version}/diff`. */
export function VersionsPage({ id, rest }: { id: string; rest: readonly string[] }) {
  const { kb } = useKnowledgeBase();
  const [version = '', end] = rest;
  if (!/^\d+$/.test(version)) {
    return <NotFound href={`/kbs/${kb.id}/documents/${id}`} place="The document" />;
  }
  const Page = end === 'diff' ? DiffPage : VersionPage;
  return <Page id={id} version={Number(version)} />;
}
