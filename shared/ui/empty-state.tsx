import type { ReactNode } from "react";
import "./empty-state.css";

interface Props {
  title: string;
  /** What this area is for. */
  children: ReactNode;
  /** The one next action. */
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

/** Shown in place of the content: what went wrong, what is safe, and what to try. */
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
