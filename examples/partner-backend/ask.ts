import { Latchkey, LatchkeyError } from '@latchkey/client';

const { LATCHKEY_URL: baseUrl = 'http://localhost:3000', LATCHKEY_API_KEY: apiKey } = process.env;
const [message = '', option] = process.argv.slice(2);

// From the secret manager through the environment, never from the source or an argument.
if (!apiKey || message.trim() === '') {
  console.error('Usage: LATCHKEY_API_KEY=… node dist/ask.js "<question>" [--stream]');
  process.exit(2);
}

// The time is how long the service may be silent: a model can take long.
const latchkey = new Latchkey({ baseUrl, apiKey, timeoutMs: 300_000 });
try {
  if (option === '--stream') {
    for await (const event of latchkey.chatStream({ message })) {
      if (event.type === 'delta') process.stdout.write(event.text);
    }
    console.log();
  } else {
    const { answer, sources } = await latchkey.chat({ message });
    console.log(answer);
    for (const { index, document_title } of sources) console.log(`[${index}] ${document_title}`);
  }
} catch (error) {
  if (!(error instanceof LatchkeyError)) throw error;
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
  console.error(`${error.code}: ${error.message}${request}`);
  process.exitCode = 1;
}
