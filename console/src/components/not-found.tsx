import { Link } from 'wouter-preact';
import { PageHeader } from './page-header.js';

interface NotFoundProps {
  readonly href: string;
  /** Where the link leads. */
  readonly place: string;
}

/** An address that leads nowhere, with a way back. */
export const NotFound = ({ href, place }: NotFoundProps) => (
  <>
    <PageHeader title="Not found" lead="There is no page with this address." />
    <p>
      <Link href={href} class="button">
        {place}
      </Link>
    </p>
  </>
);
