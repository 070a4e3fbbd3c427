/**
 * A `fetch` that reports the progress of the upload, which the browser's own does not.
 *
 * @param onProgress called with the share that was sent, 0–1
 */
export const uploadFetch =
  (onProgress: (share: number) => void): typeof fetch =>
  (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = () => {
        request.abort();
        reject(signal?.reason as Error);
      };
      request.open(method, url instanceof Request ? url.url : url);
      request.responseType = 'blob';
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded, total }) => {
        onProgress(total === 0 ? 0 : loaded / total);
      };
      request.onload = () => {
        const { status, statusText } = request;
        resolve(
          new Response(request.response as Blob, {
            status,
            statusText,
            headers: parseHeaders(request.getAllResponseHeaders()),
          }),
        );
      };
      request.onerror = () => {
        reject(new TypeError('The connection failed'));
      };
      request.onloadend = () => {
        signal?.removeEventListener('abort', abort);
      };
      if (signal?.aborted === true) {
        abort();
        return;
      }
      signal?.addEventListener('abort', abort);
      request.send(body as XMLHttpRequestBodyInit);
    });

function parseHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 2));
  }
  return headers;
}
