import { Connect } from '../../components/connect.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useLoad, useShared } from '../../load.js';
import { Link } from '../../routing.js';

const NONE: readonly string[] = [];

/** Loads questions that the newest documents answer. They change with the number of documents. */
export function useSuggestedQuestions(kb: {
  readonly id: string;
  readonly document_count: number;
  readonly chunk_count: number;
}): readonly string[] {
  const { isRunning } = useShared();
  const { value = NONE } = useLoad(
    async (api, signal) => {
      if (!isRunning('suggested-questions') || kb.chunk_count === 0) return NONE;
      const path = { kb_id: kb.id };
      const { data } = await api.get('/api/v1/kbs/{kb_id}/suggested-questions', { path, signal });
      return data.map(({ question }) => question);
    },
    `suggested ${kb.id} ${kb.document_count} ${kb.chunk_count === 0}`,
  );
  return value;
}

/** How to use a key, with a question that the documents answer. */
export function ConnectWithQuestion(props: { secret?: string }) {
  const { kb } = useKnowledgeBase();
  const [suggested] = useSuggestedQuestions(kb);
  return <Connect {...props} suggested={suggested} />;
}

/** Questions to begin with; each is asked in the playground at once. */
export function SuggestedQuestions(props: { kb: Parameters<typeof useSuggestedQuestions>[0] }) {
  const questions = useSuggestedQuestions(props.kb);
  if (questions.length === 0) return null;
  return (
    <section class="suggestions" aria-label="Your documents answer">
      <span class="quiet">Your documents answer</span>
      {questions.map((question) => (
        <Link
          key={question}
          class="button"
          dir="auto"
          href={`/kbs/${props.kb.id}/playground?question=${encodeURIComponent(question)}`}
        >
          {question}
        </Link>
      ))}
    </section>
  );
}
