/** The tags, in the order in which a new user needs them. */
export const TAGS = [
  ['Knowledge bases', 'Collections of documents, and who may access them.'],
  [
    'Documents',
    'The basis of answers. Adding one responds at once; it can be found when its status is `ready`.',
  ],
  [
    'API keys',
    'Credentials for partners’ backends: shown once, listed by prefix, revoked at once.',
  ],
  [
    'Ask',
    'For partners’ backends, and for pages with a client token. The credential is `Authorization: Bearer …`, or `api_key` in the body.',
  ],
  [
    'Client tokens',
    'For the browsers and apps of your users, which ask without your API key. Made by your backend.',
  ],
  ['Playground', 'Ask as a dashboard user, to try out settings. Test questions are not logged.'],
  [
    'Evaluations',
    'Measure how well a knowledge base answers: questions with known answers, and metrics.',
  ],
  [
    'Curated answers',
    'Answers written by people, which take precedence over search for their questions.',
  ],
  ['Ingest', 'For pipelines: documents by your own ids, with an API key as Bearer.'],
  [
    'Other protocols',
    'For clients of MCP, OpenAI and Dify, which need the base URL and an API key as Bearer.',
  ],
  ['Conversations', 'What was asked, what was answered, and from which sources.'],
  ['Analytics', 'How much is asked, how well it is answered, and what is missing.'],
  ['Settings', 'How a knowledge base answers, to whom, and how often.'],
  ['Members', 'The users with whom a knowledge base is shared.'],
  ['Service accounts', 'Accounts with their own keys, for programs that manage knowledge bases.'],
  ['Sites', 'A chat on your web pages, for visitors who need no key and no account.'],
  ['Channels', 'A bot in a chat service such as Slack, which answers in the thread.'],
  ['Sources', 'External places that a knowledge base is synchronized with.'],
  ['Webhooks', 'Tell another service what happens, as soon as it does.'],
  ['Events', 'The events sent to webhooks.'],
  ['Audit', 'Who changed what.'],
  ['Security', 'For those who find a leaked key or a weakness. No credential is needed.'],
  ['Health', 'For load balancers and orchestrators.'],
] as const;

export type Tag = (typeof TAGS)[number][0];
