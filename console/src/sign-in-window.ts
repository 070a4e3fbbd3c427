const CHANNEL = 'latchkey-sign-in';
/** The time limit of a sign-in in a frame: a provider that forbids frames never redirects back. */
const FRAME_TIMEOUT_MS = 10_000;

/** The redirect URL of the window, which is registered at identity providers. */
export const getSignedInUrl = () => `${location.origin}/console/signed-in`;

export const isSignedInUrl = () => location.pathname === new URL(getSignedInUrl()).pathname;

/**
 * Signs in in a separate window, so that the page keeps its input. Call it at once when the user presses a button,
 * because the browser would block a later window.
 *
 * @param address the address of the sign-in page
 * @param isExpected whether a returned address belongs to this sign-in, and not to that of another tab
 * @returns the address to which the provider redirected the window
 */
export async function signInInWindow(
  address: string | Promise<string>,
  signal: AbortSignal,
  isExpected?: (back: URL) => boolean,
): Promise<URL> {
  const opened = window.open('', CHANNEL, 'width=480,height=640');
  if (!opened) {
    throw new Error(
      'The browser has blocked the window. Allow windows for this page, and press again.',
    );
  }
  const back = waitForReturn(signal, isExpected);
  // A rejection while the address is awaited would otherwise count as unhandled.
  back.catch(() => undefined);
  opened.location.assign(await address);
  return back;
}

/**
 * Signs in without the user, in a hidden frame. Browsers send the provider's cookie there only if the provider
 * belongs to the same site as this page.
 */
export async function signInInFrame(address: string, state: string): Promise<URL> {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.src = address;
  const back = waitForReturn(
    AbortSignal.timeout(FRAME_TIMEOUT_MS),
    ({ searchParams }) => searchParams.get('state') === state,
  );
  document.body.append(frame);
  try {
    return await back;
  } finally {
    frame.remove();
  }
}

/** Waits until the provider has redirected a window or frame back. @returns its address */
async function waitForReturn(
  signal: AbortSignal,
  isExpected: (back: URL) => boolean = () => true,
): Promise<URL> {
  const channel = new BroadcastChannel(CHANNEL);
  try {
    return await new Promise((resolve, reject) => {
      channel.onmessage = ({ data }) => {
        const back = new URL(String(data));
        if (isExpected(back)) resolve(back);
      };
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  } finally {
    channel.close();
  }
}

export const isInFrame = () => window.parent !== window;

/** Call it in that window or frame: sends its address to the page, and closes the window. */
export function returnToPage(): void {
  new BroadcastChannel(CHANNEL).postMessage(location.href);
  window.close();
}
