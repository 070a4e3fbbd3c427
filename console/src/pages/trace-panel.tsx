import { isNotFound, type Trace } from '../api.js';
import { Loading, number, percent, plural } from '../components/basics.js';
import { Dialog } from '../components/dialog.js';
import { useLoad } from '../load.js';
import { Link } from '../routing.js';

type Search = Trace['searches'][number];
type Passage = Search['passages'][number];

const REASONS: Record<Trace['reason'], string> = {
  quoted: 'The answer is quoted from passages.',
  written: 'A language model wrote the answer from passages.',
  curated_answer: 'A curated answer was given. The documents were not searched.',
  document_list: 'The answer is from the list of documents.',
  smalltalk: 'The message asked nothing, so it got a greeting.',
  nothing_found: 'No passage was found.',
  below_min_score: 'No passage reached the minimum score.',
  not_in_passages: 'The passages that were found do not say what was asked.',
  below_answer_threshold: 'The best quotation was not sure enough to be given as an answer.',
  declined_by_model: 'The language model found no answer in the passages.',
  repeated_instructions: 'The answer was cut off because the model repeated its instructions.',
  aborted: 'The answer was not completed, because whoever asked did not wait for it.',
  failed: 'The answer failed before it was complete.',
  hidden: 'The answer rests on documents that you may not read.',
};

/** How a stored answer came about, as it was kept with the answer. */
export function TracePanel(props: {
  kbId: string;
  conversationId: string;
  messageId: string;
  onClose: () => void;
}) {
  const { kbId, conversationId, messageId, onClose } = props;
  const { value: trace, error } = useLoad(
    (api, signal) =>
      api.get('/api/v1/conversations/{conversation_id}/messages/{message_id}/trace', {
        path: { conversation_id: conversationId, message_id: messageId },
        signal,
      }),
    `trace ${messageId}`,
  );
  return (
    <Dialog title="Why this answer" side onClose={onClose}>
      {!trace && isNotFound(error) && <p>Answers from before this version keep no trace.</p>}
      {!trace && !isNotFound(error) && <Loading error={error} />}
      {trace && (
        <>
          <p>{REASONS[trace.reason]}</p>
          {trace.fell_back && <p>The language model failed, so passages were quoted instead.</p>}
          {trace.searches.map((search, index) => (
            <SearchAccount key={index} kbId={kbId} search={search} />
          ))}
          <h3>Settings</h3>
          <p class="quiet">
            Passages: {number(trace.settings.top_k)} · Minimum score:{' '}
            {trace.settings.min_score ?? 'none'} · Answer threshold:{' '}
            {percent(trace.settings.answer_threshold)}
            {trace.settings.model !== null && ` · Model: ${trace.settings.model}`}
            {trace.settings.effort !== null && ` · Effort: ${trace.settings.effort}`}
          </p>
          <p class="quiet">
            Searching: {number(trace.search_ms)} ms
            {trace.total_ms !== null && ` · In all: ${number(trace.total_ms)} ms`}
          </p>
        </>
      )}
    </Dialog>
  );
}

function SearchAccount({ kbId, search }: { kbId: string; search: Search }) {
  const { text, planned, reason, confidence, partial, lacks_vectors, passages } = search;
  return (
    <section>
      <h3>{planned ? 'The model searched again for' : 'Searched for'}</h3>
      <p class="said-as" dir="auto">
        {text ?? (
          <span class="quiet">What it searched for comes from documents hidden from you.</span>
        )}
      </p>
      {reason !== null && reason !== 'answered' && <p>{REASONS[reason]}</p>}
      {confidence !== null && <p class="quiet">Confidence: {percent(confidence)}</p>}
      {partial && <p class="quiet">There may be better passages: not all could be searched.</p>}
      {lacks_vectors && <p class="quiet">Some passages could not be found by meaning yet.</p>}
      <p>{plural(passages.length, 'passage')} found.</p>
      {passages.length > 0 && (
        <div class="table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>Passage</th>
                <th>Score</th>
                <th>Words</th>
                <th>Meaning</th>
              </tr>
            </thead>
            <tbody>
              {passages.map((passage) => (
                <tr key={passage.rank}>
                  <td>
                    <PassageName kbId={kbId} passage={passage} />
                    <div class="quiet">{describeUse(passage)}</div>
                  </td>
                  <td>{passage.score?.toPrecision(3) ?? '–'}</td>
                  <td>{percent(passage.words)}</td>
                  <td>{passage.meaning?.toFixed(2) ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function PassageName({ kbId, passage }: { kbId: string; passage: Passage }) {
  const { state, kb_id, document_id, chunk_id, document_title, text } = passage;
  if (state === 'hidden') return <span class="quiet">a document that you may not read</span>;
  if (state === 'deleted') return <span class="quiet">a document that was deleted</span>;
  return (
    <>
      <Link href={`/kbs/${kb_id ?? kbId}/documents/${document_id}#${chunk_id}`}>
        <bdi>{document_title}</bdi>
      </Link>
      {state === 'changed' && <div class="quiet">The document was changed since.</div>}
      {text !== null && (
        <div class="quiet" dir="auto">
          {text}
        </div>
      )}
    </>
  );
}

function describeUse({ source_index, cited }: Passage): string {
  if (cited) return `cited [${source_index}]`;
  return source_index === null ? 'not used' : 'not cited';
}
