import { useState } from 'preact/hooks';
import { connectSnippets, NO_SECRET } from '../snippets.js';
import { CopyButton } from './basics.js';
import { RichText } from './rich-text.js';

/** For a knowledge base whose documents suggest nothing. */
const EXAMPLE = 'What are the documents about?';

interface Sent {
  readonly isAnswer: boolean;
  readonly text: string;
}

/** Code that uses a key, ready to run; it includes the secret while that is shown. */
export function Connect(props: {
  secret?: string | undefined;
  /** The address of the service, without a slash at its end. */
  url?: string;
  /** A question that the documents answer, to begin with. */
  suggested?: string | undefined;
}) {
  const { secret, url = location.origin, suggested = EXAMPLE } = props;
  const [typed, setQuestion] = useState<string>();
  const question = typed ?? suggested;
  const [name, setName] = useState('curl');
  const [sent, setSent] = useState<Sent>();
  const [isSending, setSending] = useState(false);
  const snippets = connectSnippets({
    url,
    secret: secret ?? NO_SECRET,
    question: question.trim() || suggested,
  });
  const snippet = snippets.find((each) => each.name === name);
  const send = async (key: string) => {
    setSending(true);
    setSent(undefined);
    setSent(await askWith(url, key, question.trim() || suggested));
    setSending(false);
  };
  return (
    <section aria-label="Connect your app">
      <h3>Connect your app</h3>
      <div class="field">
        <label for="connect-question">Question</label>
        <input
          id="connect-question"
          dir="auto"
          maxLength={8000}
          value={question}
          onInput={(event) => {
            setQuestion(event.currentTarget.value);
          }}
        />
      </div>
      <div class="snippet-names" role="group" aria-label="Language">
        {snippets.map((each) => (
          <button
            key={each.name}
            type="button"
            aria-pressed={each.name === name}
            onClick={() => {
              setName(each.name);
            }}
          >
            {each.name}
          </button>
        ))}
      </div>
      {snippet && (
        <div class="snippet">
          <pre tabIndex={0} dir="ltr">
            <code>{snippet.text}</code>
          </pre>
          <p class="actions">
            <CopyButton text={snippet.text} label={`Copy ${snippet.name}`} />
            {secret !== undefined && (
              <button type="button" disabled={isSending} onClick={() => void send(secret)}>
                Send
              </button>
            )}
          </p>
        </div>
      )}
      {secret === undefined && (
        <p class="quiet">
          Replace <code>{NO_SECRET}</code> with the secret, which was shown once, when the key was
          created.
        </p>
      )}
      <div role="status" aria-live="polite">
        {isSending && <p class="quiet">Waiting for the answer…</p>}
        {sent && (
          <div class={sent.isAnswer ? 'passage' : 'alert'}>
            <RichText text={sent.text} />
          </div>
        )}
      </div>
      {secret !== undefined && (
        <p class="quiet">Send asks with this key, so it counts as a use of it.</p>
      )}
    </section>
  );
}

/** Asks with the key, as a program does, and not as the signed-in user. */
async function askWith(url: string, key: string, message: string): Promise<Sent> {
  try {
    const response = await fetch(`${url}/api/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
    });
    const body = (await response.json()) as { answer?: string; detail?: string };
    return body.answer === undefined
      ? { isAnswer: false, text: body.detail ?? 'The service refused it.' }
      : { isAnswer: true, text: body.answer };
  } catch {
    return { isAnswer: false, text: 'The service does not answer at the moment.' };
  }
}
