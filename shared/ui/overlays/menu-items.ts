import type { ButtonHTMLAttributes, ReactElement, ReactNode } from "react";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** One sentence below the label. */
  hint?: string;
  onSelect: () => void;
  /** Marks an action that cannot easily be undone. */
  danger?: boolean;
  disabled?: boolean;
  /** The keyboard shortcut, as text for display and `aria-keyshortcuts`. */
  keys?: string;
}

/** A button that accepts a ref. */
type MenuTrigger = ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;

export interface MenuProps {
  trigger: MenuTrigger;
  /** Groups are separated by a line. */
  groups: readonly (readonly MenuItem[])[];
  align?: "start" | "end";
  /** Opens on click instead of on press, for a trigger that can also be dragged. */
  opensOnClick?: boolean;
}
