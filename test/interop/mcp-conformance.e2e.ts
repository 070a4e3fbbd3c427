import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { type Check, McpProxy, runServerScenarios } from '../support/mcp-conformance.js';
import { newUserId, sharedService } from '../support/shared-service.js';

const QUERY = 'How long may customers return an order?';
const ANSWER = 'Customers may return any order within 30 days of delivery.';
const UNKNOWN_FILTER = { type: 'like', key: 'department', value: 'x' };

// The suite calls tools of its own server. Where any tool will do, ours is called instead.
const CALLS = {
  test_simple_text: { name: 'search', arguments: { query: QUERY } },
  test_error_handling: { name: 'search', arguments: { query: QUERY, filter: UNKNOWN_FILTER } },
  test_logging_tool: { name: 'ask', arguments: { question: QUERY } },
  test_streaming_elicitation: { name: 'ask', arguments: { question: QUERY } },
};

/** Scenarios with checks that pass; the checks that do not are below. */
const APPLICABLE = {
  '2025-11-25': [
    ...['dns-rebinding-protection', 'ping', 'server-initialize'],
    ...['tools-call-error', 'tools-call-simple-text', 'tools-list'],
  ],
  '2026-07-28': [
    ...['caching', 'dns-rebinding-protection', 'http-header-validation'],
    ...['input-required-result-unsupported-methods', 'input-required-result-validate-input'],
    ...['sep-2164-resource-not-found', 'server-sse-multiple-streams', 'server-stateless'],
    ...['tools-call-error', 'tools-call-simple-text', 'tools-list'],
  ],
};

/** Checks of what the contract does not have, by the reason: it has two read-only tools. */
const NOT_APPLICABLE: Readonly<Record<string, readonly string[]>> = {
  'There are no prompts.': [
    ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args'],
    ...['prompts-get-with-image', 'prompts-get-embedded-resource'],
    'sep-2549-prompts-list-caching-hints',
  ],
  'There are no resources.': [
    ...['resources-list', 'resources-read-text', 'resources-read-binary'],
    ...['resources-templates-read', 'resources-subscribe', 'resources-unsubscribe'],
    ...['sep-2549-resources-list-caching-hints', 'sep-2549-resources-templates-list-caching-hints'],
    ...['sep-2164-error-code', 'sep-2164-data-uri'],
  ],
  'It completes arguments of prompts and resources.': ['completion-complete'],
  'No log messages are sent.': ['logging-set-level', 'tools-call-with-logging'],
  'No progress is reported.': ['tools-call-with-progress'],
  'Results are text and structured content.': [
    ...['tools-call-image', 'tools-call-audio'],
    ...['tools-call-embedded-resource', 'tools-call-mixed-content'],
  ],
  'Clients are asked for nothing: no sampling, elicitation or roots.': [
    ...['tools-call-sampling', 'tools-call-elicitation'],
    ...['elicitation-sep1034-general', 'elicitation-sep1330-general'],
    ...['sep-2322-elicitation-incomplete', 'sep-2322-sampling-incomplete'],
    ...['sep-2322-list-roots-incomplete', 'sep-2322-multi-round-r1'],
    ...['sep-2322-multiple-inputs-incomplete', 'sep-2322-non-tool-incomplete'],
    ...['sep-2322-request-state-incomplete', 'sep-2322-result-type-included'],
    ...['sep-2322-reject-tampered-state', 'sep-2322-respect-client-capabilities'],
    ...['sep-2322-ignore-unexpected-params', 'sep-2322-missing-response-rerequests'],
    ...['sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400'],
  ],
  'No argument is sent as a header.': [
    ...['sep-2243-server-no-xmcp-tool', 'sep-2243-server-decode-base64'],
    ...['sep-2243-server-validate-param-match', 'sep-2243-server-reject-param-mismatch'],
    'sep-2243-server-reject-invalid-param-chars',
  ],
  'It looks for a tool whose schema is part of the suite.': ['json-schema-2020-12-tool-found'],
  'There are no sessions, and a stream ends with its answer, so that none is resumed.': [
    ...['server-sse-multiple-streams-session', 'server-sse-polling-session'],
    ...['server-sse-priming-event', 'server-sse-retry-field'],
  ],
};
const notApplicable = Object.values(NOT_APPLICABLE).flat();

// Every scenario has this check, also one whose other checks do not apply.
const WELL_FORMED = 'wire-schema-valid';
const isPassed = ({ id, status }: Check) => status === 'SUCCESS' && id !== WELL_FORMED;

/** The suite waits only half a second for some answers, which is too short on a busy machine. */
const ATTEMPTS = 5;

const isFailed = (status: Check['status']) => status === 'FAILURE' || status === 'WARNING';

const faultsOf = (scenarios: ReadonlyMap<string, readonly Check[]>) =>
  [...scenarios].flatMap(([scenario, checks]) =>
    checks
      .filter(({ id, status }) => isFailed(status) && !notApplicable.includes(id))
      .map(({ id, errorMessage = '' }) => `${scenario}: ${id}: ${errorMessage}`),
  );

describe('the official MCP conformance suite', () => {
  let proxy: McpProxy;
  const failedSomewhere = new Set<string>();

  beforeAll(async () => {
    const service = await sharedService();
    const alice = new Client(service, newUserId('mcp-conformance'));
    const kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, { title: 'Returns policy', text: ANSWER });
    proxy = await McpProxy.start(service.url, (await alice.createApiKey(kb.id)).api_key, CALLS);
  });
  afterAll(() => {
    proxy.stop();
  });

  it.each(['2025-11-25', '2026-07-28'] as const)('%s', async (version) => {
    let scenarios = await runServerScenarios(proxy.url, version);
    for (let attempt = 1; attempt < ATTEMPTS && faultsOf(scenarios).length > 0; attempt++) {
      scenarios = await runServerScenarios(proxy.url, version);
    }
    for (const { id, status } of [...scenarios.values()].flat()) {
      if (isFailed(status)) failedSomewhere.add(id);
    }
    expect(faultsOf(scenarios)).toEqual([]);
    const passed = [...scenarios]
      .filter(([, checks]) => checks.some(isPassed))
      .map(([name]) => name);
    expect(passed.sort()).toEqual(APPLICABLE[version]);
  });

  it('leaves out no check that passes', () => {
    expect(notApplicable.filter((id) => !failedSomewhere.has(id))).toEqual([]);
  });
});
