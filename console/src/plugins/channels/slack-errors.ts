const GONE = 'The bot token is no longer valid. Replace the secrets.';

const ERRORS: Readonly<Record<string, string>> = {
  app_uninstalled: 'The app was uninstalled. Install it again, and replace the secrets.',
  tokens_revoked: GONE,
  token_revoked: GONE,
  token_expired: GONE,
  account_inactive: GONE,
  invalid_auth: GONE,
  not_in_channel: 'The bot is not a member of the channel that it was asked in. Invite it.',
  missing_scope: 'The app lacks a scope. Compare it with the manifest.',
};

/** Explains a code with which Slack refused a message. */
export const slackErrorWords = (code: string) => ERRORS[code] ?? `Slack says ${code}.`;
