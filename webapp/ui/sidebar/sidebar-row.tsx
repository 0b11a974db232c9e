import { Link } from "@tanstack/react-router";
import type { DragEventHandler, ReactNode } from "react";

interface Props {
  to: string;
  label: string;
  icon: ReactNode;
  note?: string | undefined;
  /** A small button at the end of the row. */
  action?: ReactNode;
  onDragStart?: DragEventHandler;
}

export function SidebarRow({ to, label, icon, note, action, onDragStart }: Props) {
  return (
    // Dragging is optional, because every draggable item has a menu elsewhere that can move it.
    <li className={action === undefined ? undefined : "sidebar-acting"} onDragStart={onDragStart}>
      <Link className="sidebar-row" to={to} title={label} activeOptions={{ exact: true }}>
        {icon}
        <span className="sidebar-label">{label}</span>
        {note !== undefined && <span className="sidebar-note">{note}</span>}
      </Link>
      {action}
    </li>
  );
}
