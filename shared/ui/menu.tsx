import * as DropdownMenu from "radix-ui/dropdown-menu";
import type { ReactElement, ReactNode } from "react";
import "./menu.css";

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

interface Props {
  /** A button that takes a ref. */
  trigger: ReactElement;
  /** Groups stand apart by a line. */
  groups: readonly (readonly MenuItem[])[];
  align?: "start" | "end";
}

export function Menu({ trigger, groups, align = "end" }: Props) {
  return (
    // Not modal: the modal kind writes a style element into the page, which our content policy refuses.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* Beside its trigger and not at the end of the page, so that it stands in the same landmark. */}
      <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8} loop>
        {groups
          .filter((items) => items.length > 0)
          .map((items, at) => (
            <DropdownMenu.Group key={items.map((item) => item.label).join()} className="menu-group">
              {at > 0 && <DropdownMenu.Separator className="menu-line" />}
              {items.map((item) => (
                <DropdownMenu.Item
                  key={item.label}
                  className={item.danger === true ? "menu-item menu-item-danger" : "menu-item"}
                  disabled={item.disabled ?? false}
                  onSelect={item.onSelect}
                >
                  {item.icon}
                  <span className="menu-label">{item.label}</span>
                  {item.keys !== undefined && <span className="menu-keys">{item.keys}</span>}
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Group>
          ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
