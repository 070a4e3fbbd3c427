const MAX_APP_NAME = 35;

/** What the app may do: hear mentions and direct messages, answer, and see who asks. */
const SCOPES = [
  ...['app_mentions:read', 'chat:write', 'commands', 'im:history'],
  ...['reactions:read', 'users:read', 'users:read.email'],
];
const EVENTS = [
  ...['app_mention', 'message.im', 'reaction_added', 'reaction_removed'],
  ...['app_uninstalled', 'tokens_revoked'],
];

/**
 * The manifest that a Slack app is created from, as JSON.
 *
 * @param url the address of the service, without a slash at its end
 */
export function slackManifest(url: string, { id, name }: { id: string; name: string }): string {
  const channel = `${url}/api/v1/channels/${id}`;
  const appName = name.slice(0, MAX_APP_NAME).trim();
  const manifest = {
    display_information: { name: appName, description: 'Answers questions from our documents' },
    features: {
      app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: appName, always_online: true },
      slash_commands: [
        {
          command: '/ask',
          url: `${channel}/commands`,
          description: 'Ask our documents; only you see the answer',
          usage_hint: 'your question',
          should_escape: false,
        },
      ],
    },
    oauth_config: { scopes: { bot: SCOPES } },
    settings: {
      event_subscriptions: { request_url: `${channel}/events`, bot_events: EVENTS },
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  };
  return JSON.stringify(manifest, null, 2);
}
