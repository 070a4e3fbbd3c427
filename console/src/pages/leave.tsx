import { useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Confirm } from '../components/dialog.js';
import { Input } from '../components/field.js';
import { useShared } from '../load.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

/** Ends the user's own membership. */
export function LeaveKnowledgeBase(props: { isAsked: boolean; onAsk: (isAsked: boolean) => void }) {
  const { kb, isOwner } = useKnowledgeBase();
  const { api, notify, user } = useShared();
  const [, go] = useLocation();
  const { isAsked, onAsk: ask } = props;
  const form = useRef<HTMLDivElement>(null);
  // Behind a gateway only the gateway knows who the user is. An owner has a button beside each member.
  if (user === undefined && isOwner) return null;
  return (
    <section>
      <h2>Leave</h2>
      <button
        type="button"
        onClick={() => {
          ask(true);
        }}
      >
        Leave knowledge base
      </button>
      {isAsked && (
        <Confirm
          title={`Leave ${kb.name}?`}
          action="Leave"
          onClose={() => {
            ask(false);
          }}
          onConfirm={async () => {
            const own = user ?? form.current?.querySelector('input')?.value ?? '';
            await api.delete('/api/v1/kbs/{kb_id}/members/{user_id}', {
              path: { kb_id: kb.id, user_id: own },
            });
            notify(`You have left ${kb.name}.`);
            go('/');
          }}
        >
          <p>You cannot see it any more, until an owner adds you again.</p>
          {user === undefined && (
            <div ref={form}>
              <Input label="Your user id" name="user_id" required pattern="[!-~]{1,255}" />
            </div>
          )}
        </Confirm>
      )}
    </section>
  );
}
