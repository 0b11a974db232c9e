import type { ButtonHTMLAttributes, ReactElement, ReactNode } from "react";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  /** Marks what cannot be taken back with one press. */
  danger?: boolean;
  disabled?: boolean;
  /** Keys that do the same, as text for `aria` and the eye. */
  keys?: string;
}

/** A button that takes a ref. */
type MenuTrigger = ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;

export interface MenuProps {
  trigger: MenuTrigger;
  /** Groups stand apart by a line. */
  groups: readonly (readonly MenuItem[])[];
  align?: "start" | "end";
}
