import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect } from '@jest/globals';
import { Client } from '../support/client.js';
import { shellEnvironment } from '../support/packed-client.js';
import { registry } from '../support/requirement.js';
import { newUserId, sharedService } from '../support/shared-service.js';

// Unmodified clients of OpenAI's API, set up as their own documentation says. They ask /v1/responses unless
// they are told otherwise.

const run = promisify(execFile);
const QUESTION = 'How long may customers return an order?';
const ANSWER = '30 days\nCustomers may return any order within 30 days of delivery. [1]';
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'clients-'));

let alice: Client;
let kbId: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  const { url } = await sharedService();
  alice = new Client({ url }, newUserId('clients'));
  ({ id: kbId } = await alice.createKnowledgeBase());
  const text = 'Customers may return any order within 30 days of delivery.';
  await alice.addDocument(kbId, { title: 'Returns policy', text });
  const { api_key: key } = await alice.createApiKey(kbId);
  const path = process.env['PATH'];
  environment = {
    PATH: path,
    HOME: folder,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: key,
    QUESTION,
  };
});

/** Runs a program that writes JSON in its last line. */
async function output(command: string, file: string, program: string): Promise<unknown> {
  writeFileSync(join(folder, file), program);
  const options = { cwd: folder, env: environment };
  const { stdout } = await run(command, [join(folder, file)], options);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

const conversations = async () =>
  (await alice.get<{ data: unknown[] }>(`/kbs/${kbId}/conversations?limit=100`)).body.data.length;

const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
const hasAiSdk =
  spawnSync('npm', [...npm, 'ai@6', '@ai-sdk/openai@3'], { env: shellEnvironment() }).status === 0;

registry('npm’s registry', hasAiSdk).it('Vercel AI SDK asks, with tools and history', async () => {
  const program = `
import { openai } from '@ai-sdk/openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
const prompt = process.env.QUESTION;
const execute = () => 'sunny';
const inputSchema = jsonSchema({ type: 'object', properties: { city: { type: 'string' } } });
const tools = { weather: tool({ description: 'The weather', inputSchema, execute }) };
const seen = [];
for (const model of [openai('latchkey'), openai.chat('latchkey')]) {
  const first = await generateText({ model, prompt, tools, system: 'Be brief.' });
  seen.push(first.text, first.sources.length, first.usage.totalTokens);
  const user = { role: 'user', content: prompt };
  const messages = [user, ...first.response.messages, user];
  seen.push((await generateText({ model, messages, tools })).text);
  let streamed = '';
  for await (const text of streamText({ model, messages }).textStream) streamed += text;
  seen.push(streamed);
}
console.log(JSON.stringify(seen));`;
  const expected = [ANSWER, 1, 20, ANSWER, ANSWER];
  const before = await conversations();
  expect(await output(process.execPath, 'ai-sdk.mjs', program)).toEqual([...expected, ...expected]);
  // By references to earlier answers, responses go on with their conversation.
  expect((await conversations()) - before).toBe(4);
});

const python = join(folder, 'venv/bin/python');
const hasPython =
  spawnSync('python3', ['-m', 'venv', join(folder, 'venv')]).status === 0 &&
  spawnSync(python, [
    ...['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:'],
    ...['pydantic-ai-slim[openai]', 'openai-agents'],
  ]).status === 0;

const pythonRegistry = registry('Python’s registry', hasPython);

pythonRegistry.it('pydantic-ai asks, with tools and history', async () => {
  const program = `
import asyncio, json, os
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
question, seen = os.environ["QUESTION"], []
async def main():
    for model in OpenAIResponsesModel, OpenAIChatModel:
        agent = Agent(model("latchkey"), instructions="Be brief.")
        @agent.tool_plain
        def weather(city: str) -> str:
            """The weather."""
            return "sunny"
        first = await agent.run(question)
        seen.append(first.output)
        seen.append((await agent.run(question, message_history=first.all_messages())).output)
        async with agent.run_stream(question) as result:
            seen.append("".join([text async for text in result.stream_text(delta=True)]))
asyncio.run(main())
print(json.dumps(seen))`;
  const expected = Array.from({ length: 6 }, () => ANSWER);
  expect(await output(python, 'ask_by_pydantic.py', program)).toEqual(expected);
});

pythonRegistry.it('openai-agents asks, with tools, history and earlier responses', async () => {
  const program = `
import asyncio, json, os
from agents import Agent, Runner, function_tool, set_tracing_disabled
set_tracing_disabled(True)
@function_tool
def weather(city: str) -> str:
    """The weather."""
    return "sunny"
agent = Agent(name="Assistant", model="latchkey", instructions="Be brief.", tools=[weather])
question, seen = os.environ["QUESTION"], []
async def main():
    first = await Runner.run(agent, question)
    seen.append(first.final_output)
    again = first.to_input_list() + [{"role": "user", "content": question}]
    seen.append((await Runner.run(agent, again)).final_output)
    last = {"previous_response_id": first.last_response_id}
    seen.append((await Runner.run(agent, question, **last)).final_output)
    streamed = Runner.run_streamed(agent, question)
    async for _ in streamed.stream_events():
        pass
    seen.append(streamed.final_output)
asyncio.run(main())
print(json.dumps(seen))`;
  const before = await conversations();
  const expected = Array.from({ length: 4 }, () => ANSWER);
  expect(await output(python, 'ask_by_agents.py', program)).toEqual(expected);
  expect((await conversations()) - before).toBe(3);
});
