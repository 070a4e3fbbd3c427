import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer, Problem } from './client.js';
import type { Service } from './service.js';

/**
 * Sends a request byte for byte, for what no HTTP client would send. Header lines are written as
 * they are, one byte per character; `Host` is the service's own unless they hold one.
 *
 * @param requestLine such as `GET /api/v1/kbs`
 * @param from the address to connect from; the system's choice unless given
 */
export async function sendRaw(
  service: Pick<Service, 'url'>,
  requestLine: string,
  headerLines: string[],
  body = '',
  from?: string,
): Promise<Answer<Problem>> {
  const { hostname, port, host } = new URL(service.url);
  const hasHost = headerLines.some((line) => /^host:/i.test(line));
  const lines = [
    `${requestLine} HTTP/1.1`,
    ...(hasHost ? [] : [`Host: ${host}`]),
    'Connection: close',
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    ...headerLines,
  ];
  const socket = connect({
    port: Number(port),
    host: hostname.replace(/[[\]]/g, ''),
    ...(from !== undefined && { localAddress: from }),
  });
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  return parse(await text(socket));
}

function parse(response: string): Answer<Problem> {
  const end = response.indexOf('\r\n\r\n');
  const [statusLine = '', ...headerLines] = response.slice(0, end).split('\r\n');
  const headers = new Headers(
    headerLines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)];
    }),
  );
  const payload = response.slice(end + 4);
  const json = headers.get('content-type')?.includes('json') === true;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: (json ? JSON.parse(payload) : undefined) as Problem,
    text: payload,
  };
}
