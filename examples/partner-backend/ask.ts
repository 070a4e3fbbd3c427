import { LatchkeyClient, LatchkeyError } from './client.js';

const { LATCHKEY_URL: url = 'http://localhost:3000', LATCHKEY_API_KEY: apiKey } = process.env;
const [question = '', option] = process.argv.slice(2);

// From the secret manager through the environment, never from the source or an argument.
if (!apiKey || question.trim() === '') {
  console.error('Usage: LATCHKEY_API_KEY=… node dist/ask.js "<question>" [--stream]');
  process.exit(2);
}

const latchkey = new LatchkeyClient(url, apiKey);
try {
  if (option === '--stream') {
    await latchkey.askStreaming(question, (text) => process.stdout.write(text));
    console.log();
  } else {
    const { answer, sources } = await latchkey.ask(question);
    console.log(answer);
    for (const { index, document_title } of sources) console.log(`[${index}] ${document_title}`);
  }
} catch (error) {
  if (!(error instanceof LatchkeyError)) throw error;
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
  console.error(`${error.code}: ${error.message}${request}`);
  process.exitCode = 1;
}
