const CHANNEL = 'latchkey-sign-in';
/** How long a sign-in in a frame may take: a provider that forbids frames never comes back. */
const FRAME_TIMEOUT_MS = 10_000;

/** Where the window comes back to; registered at identity providers. */
export const signedInUrl = () => `${location.origin}/console/signed-in`;

export const isSignedInUrl = () => location.pathname === new URL(signedInUrl()).pathname;

/**
 * Signs in in a window of its own, so that the page keeps what was typed. To be called at once when
 * the user presses a button: later the browser would block the window.
 *
 * @param address of the sign-in page
 * @param isExpected whether an address is that of this sign-in, and not of another tab's
 * @returns the address at which the window has come back
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
  const back = comeBack(signal, isExpected);
  // A rejection while the address is awaited would otherwise count as unhandled.
  back.catch(() => undefined);
  opened.location.assign(await address);
  return back;
}

/**
 * Signs in without the user, in a frame that is not shown. Browsers send the provider's cookie there
 * only if the provider is of the same site as this page.
 */
export async function signInInFrame(address: string, state: string): Promise<URL> {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.src = address;
  const back = comeBack(
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

/** Waits until a window or frame has come back from the provider. @returns its address */
async function comeBack(
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

/** To be called in that window or frame: gives the page its address, and closes the window. */
export function returnToPage(): void {
  new BroadcastChannel(CHANNEL).postMessage(location.href);
  window.close();
}
