/** Code that asks a question, in one language. */
export interface Snippet {
  readonly name: string;
  readonly text: string;
}

/** The placeholder in a snippet for a secret that is no longer shown. */
export const NO_SECRET = 'YOUR_API_KEY';

interface Connection {
  /** The address of the service, such as `https://kb.example.com`. */
  readonly url: string;
  readonly secret: string;
  readonly question: string;
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlSnippet = (
  { url, secret }: Omit<Connection, 'question'>,
  body: Readonly<Record<string, unknown>>,
): string =>
  [
    `curl ${url}/api/v1/chat \\`,
    `  -H "Authorization: Bearer ${secret}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${inShell(JSON.stringify(body))}`,
  ].join('\n');

/** Builds snippets that can be run as they are. */
export function connectSnippets({ url, secret, question }: Connection): Snippet[] {
  const [quotedSecret, quoted] = [JSON.stringify(secret), JSON.stringify(question)];
  const mcp = {
    mcpServers: {
      latchkey: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${secret}` } },
    },
  };
  return [
    { name: 'curl', text: curlSnippet({ url, secret }, { message: question }) },
    {
      name: 'TypeScript',
      text: `const response = await fetch(${JSON.stringify(`${url}/api/v1/chat`)}, {
  method: 'POST',
  headers: {
    authorization: ${JSON.stringify(`Bearer ${secret}`)},
    'content-type': 'application/json',
  },
  body: JSON.stringify({ message: ${quoted} }),
});
const { answer, sources } = await response.json();
console.log(answer, sources);`,
    },
    {
      name: 'Python',
      text: `import json
from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(`${url}/api/v1/chat`)},
    json.dumps({"message": ${quoted}}).encode(),
    {"Authorization": ${JSON.stringify(`Bearer ${secret}`)}, "Content-Type": "application/json"},
)
print(json.load(urlopen(request))["answer"])`,
    },
    {
      name: 'OpenAI',
      text: `# Any client of OpenAI: its base URL, and the key
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${url}/v1`)}, api_key=${quotedSecret})
answer = client.chat.completions.create(
    model="latchkey",
    messages=[{"role": "user", "content": ${quoted}}],
)
print(answer.choices[0].message.content)`,
    },
    { name: 'MCP', text: JSON.stringify(mcp, null, 2) },
  ];
}
