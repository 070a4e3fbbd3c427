import { Problem } from '../../platform/problems/problem.js';
import type { Invitation } from './invitation.entity.js';

export const INVITATION_STATES = ['open', 'used', 'expired', 'withdrawn'] as const;

export type InvitationState = (typeof INVITATION_STATES)[number];

/** The reasons for which a link opens nothing. */
type Reason = Exclude<InvitationState, 'open'> | 'unknown' | 'maker_left';

const DETAILS: Record<Reason, string> = {
  unknown: 'There is no such invitation.',
  used: 'The invitation was accepted before, by as many people as it was for.',
  expired: 'The invitation has expired.',
  withdrawn: 'The invitation was withdrawn.',
  maker_left: 'Whoever made the invitation does not own the knowledge base any more.',
};

export function getState(
  { withdrawnAt, uses, maxUses, expiresAt }: Invitation,
  now: Date,
): InvitationState {
  if (withdrawnAt) return 'withdrawn';
  if (uses >= maxUses) return 'used';
  return expiresAt <= now ? 'expired' : 'open';
}

/** @param reason also in the body, so that a page can say it in its own words */
export const invitationEnded = (reason: Reason) =>
  new Problem('invitation_ended', { detail: DETAILS[reason], extensions: { reason } });
