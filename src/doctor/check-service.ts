import { type Check, ok, problem, warning } from './finding.js';

const TIMEOUT_MS = 5000;

/** Asks the running service whether it is ready, and whether it trusts a header it should not. */
export const checkService: Check = async ({ host, port, dashboardAuth }) => {
  if (port === 0) return [warning('PORT is 0: the service is somewhere else each time.')];
  const url = `http://${hostToProbe(host)}:${port}`;
  const answersOk = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(url + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
  try {
    if (!(await answersOk('/health/live'))) {
      return [problem(`Something other than Latchkey answers at ${url}.`)];
    }
    const readiness = (await answersOk('/health/ready'))
      ? ok(`The service is ready at ${url}.`)
      : problem(`The service at ${url} runs, but cannot use its database.`);
    if (dashboardAuth.mode === 'trust') return [readiness];
    const trusted = await answersOk('/api/v1/kbs', { 'x-idp-user-id': 'doctor' });
    return [
      readiness,
      trusted
        ? problem(
            'The service believes X-Idp-User-Id from anybody: it runs with another DASHBOARD_AUTH_MODE than this one. Restart it.',
          )
        : ok('X-Idp-User-Id alone is not believed.'),
    ];
  } catch {
    return [problem(`No service answers at ${url}: it is not started, or on another port.`)];
  }
};

/** A service that listens on all addresses is reached by loopback. */
function hostToProbe(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
