import { toShownName } from './client-metadata.js';

/** A client that asks to be connected, as the person sees it. */
export interface AskingClient {
  /** The name that it gives itself. */
  readonly name: string;
  /** The host that vouches for the name; null if nobody does. */
  readonly host: string | null;
  /** Where the browser is sent afterwards. */
  readonly leadsTo: string;
  /** Whether that is a web address of the host that vouches for the name. */
  readonly isVerified: boolean;
}

/** @param id its registration, or the address of its own metadata document */
export function toAskingClient(
  id: string,
  name: string | undefined,
  redirectUri: string,
): AskingClient {
  const host = URL.parse(id)?.protocol === 'https:' ? new URL(id).host : null;
  return {
    name: toShownName(name ?? '') || (host ?? 'An app without a name'),
    host,
    leadsTo: describeDestination(redirectUri),
    isVerified: host !== null && URL.parse(redirectUri)?.host === host,
  };
}

function describeDestination(redirectUri: string): string {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol === 'https:') return `To ${host}`;
  if (protocol === 'http:') return `To an app on this computer (${hostname})`;
  return `To the app that opens addresses with ${protocol}`;
}
