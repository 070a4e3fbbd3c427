const CHANNEL = 'latchkey-sign-in';

/** Where the window comes back to; registered at identity providers. */
export const signedInUrl = () => `${location.origin}/console/signed-in`;

export const isSignedInUrl = () => location.pathname === new URL(signedInUrl()).pathname;

/**
 * Signs in in a window of its own, so that the page keeps what was typed. To be called at once when
 * the user presses a button: later the browser would block the window.
 *
 * @param address of the sign-in page
 * @returns the address at which the window has come back
 */
export async function signInInWindow(
  address: string | Promise<string>,
  signal: AbortSignal,
): Promise<URL> {
  const opened = window.open('', CHANNEL, 'width=480,height=640');
  if (!opened) {
    throw new Error(
      'The browser has blocked the window. Allow windows for this page, and press again.',
    );
  }
  const channel = new BroadcastChannel(CHANNEL);
  try {
    // The window cannot be asked whether it was closed: it belongs to another site by then.
    const back = new Promise<string>((resolve, reject) => {
      channel.onmessage = ({ data }) => {
        resolve(String(data));
      };
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    // Rejected while the address is still waited for, it would count as unhandled.
    back.catch(() => undefined);
    opened.location.assign(await address);
    return new URL(await back);
  } finally {
    channel.close();
  }
}

/** To be called in that window: gives the page its address, and closes it. */
export function returnToPage(): void {
  new BroadcastChannel(CHANNEL).postMessage(location.href);
  window.close();
}
