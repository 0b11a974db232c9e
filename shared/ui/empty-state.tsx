import type { ReactNode } from "react";
import "./empty-state.css";

interface Props {
  title: string;
  /** What this place is for. */
  children: ReactNode;
  /** The one thing to do next. */
  action?: ReactNode;
  headingLevel?: 1 | 2 | 3;
}

export function EmptyState({ title, children, action, headingLevel = 2 }: Props) {
  const Heading = `h${headingLevel}` as const;
  return (
    <section className="empty-state">
      <Heading className="empty-state-title">{title}</Heading>
      <div className="empty-state-text">{children}</div>
      {action !== undefined && <div className="empty-state-action">{action}</div>}
    </section>
  );
}

/** What went wrong, what is safe, and what to try: in the place where the content would have stood. */
export function ErrorState({ title, children, action, headingLevel = 2 }: Props) {
  const Heading = `h${headingLevel}` as const;
  return (
    <section className="empty-state" role="alert">
      <Heading className="empty-state-title">{title}</Heading>
      <div className="empty-state-text">{children}</div>
      {action !== undefined && <div className="empty-state-action">{action}</div>}
    </section>
  );
}
