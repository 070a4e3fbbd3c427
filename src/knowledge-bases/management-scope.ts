/** The scopes of service accounts' keys. */
export const MANAGEMENT_SCOPES = [
  'kbs:write',
  'documents:write',
  'keys:read',
  'keys:write',
  'keys:rotate',
  'settings:write',
  'members:write',
  'audit:read',
  'analytics:read',
] as const;

export type ManagementScope = (typeof MANAGEMENT_SCOPES)[number];

/** Whether a scope is granted. `keys:write` includes the other scopes of keys. */
export const holdsScope = (granted: readonly string[], scope: ManagementScope): boolean =>
  granted.includes(scope) ||
  ((scope === 'keys:read' || scope === 'keys:rotate') && granted.includes('keys:write'));
