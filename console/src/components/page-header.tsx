import type { ComponentChildren } from 'preact';
import { Link } from '../routing.js';
import { Icon } from './icon.js';

/** The title of a page, its purpose, and its main actions. */
export function PageHeader(props: {
  title: string;
  lead?: ComponentChildren;
  /** The page that this one belongs to. */
  up?: { href: string; label: string };
  /** Buttons, the most important one last. */
  children?: ComponentChildren;
}) {
  const { title, lead, up, children } = props;
  return (
    <header class="page-header">
      {up && (
        <Link href={up.href} class="up">
          <Icon name="back" directed />
          {up.label}
        </Link>
      )}
      <div class="heading">
        <h1 dir="auto">{title}</h1>
        <div class="actions">{children}</div>
      </div>
      {lead !== undefined && (
        <p class="lead clamped" dir="auto">
          {lead}
        </p>
      )}
    </header>
  );
}
