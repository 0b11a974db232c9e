import * as DropdownMenu from "radix-ui/dropdown-menu";
import * as Slot from "radix-ui/slot";
import { useEffect, useId, useRef, useState, type ComponentProps } from "react";
import type { MenuItem, MenuProps } from "./menu-items.ts";
import "./menu.css";

interface Props extends MenuProps {
  /** Set if the press that opened it happened before this code was loaded. */
  openedBy?: "pointer" | "keys";
}

interface ClickTriggerProps extends ComponentProps<typeof Slot.Root> {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/**
 * Opens the menu on click. The library opens it on press and cancels that event, which also cancels native dragging, so
 * the library's handler is dropped here.
 */
function ClickTrigger({ isOpen, setOpen, onPointerDown: _onPress, ...props }: ClickTriggerProps) {
  const wasOpen = useRef(false);
  return (
    <Slot.Root
      {...props}
      // A press outside closes the menu before the click arrives.
      onPointerDown={() => {
        wasOpen.current = isOpen;
      }}
      onClick={() => setOpen(!wasOpen.current)}
    />
  );
}

function Item({ item: { label, icon, hint, keys, danger, disabled = false, onSelect } }: { item: MenuItem }) {
  const hintId = useId();
  // The hint describes the item and is not part of its name.
  const names = hint === undefined ? {} : { "aria-label": label, "aria-describedby": hintId };
  return (
    <DropdownMenu.Item
      className={danger === true ? "menu-item menu-item-danger" : "menu-item"}
      disabled={disabled}
      onSelect={onSelect}
      {...names}
    >
      {icon}
      <span className="menu-label">
        {label}
        {hint !== undefined && (
          <span id={hintId} className="menu-hint">
            {hint}
          </span>
        )}
      </span>
      {keys !== undefined && <span className="menu-keys key-hint">{keys}</span>}
    </DropdownMenu.Item>
  );
}

/** A button with its menu. */
export function MenuList({ trigger, groups, align = "end", openedBy, opensOnClick = false }: Props) {
  const content = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(openedBy !== undefined);
  useEffect(() => {
    // The menu did not receive the key that opened it, so the first item must be focused here.
    if (openedBy === "keys")
      content.current?.querySelector<HTMLElement>("[role=menuitem]:not([data-disabled])")?.focus();
  }, [openedBy]);
  return (
    // Not modal, because a modal menu adds a style element, which our content security policy refuses.
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>
        {opensOnClick ? (
          <ClickTrigger isOpen={isOpen} setOpen={setOpen}>
            {trigger}
          </ClickTrigger>
        ) : (
          trigger
        )}
      </DropdownMenu.Trigger>
      {/* Rendered next to its trigger rather than at the end of the page, so that it is in the same landmark. */}
      <DropdownMenu.Content ref={content} className="menu" align={align} sideOffset={4} collisionPadding={8} loop>
        {groups
          .filter((items) => items.length > 0)
          .map((items, at) => (
            <DropdownMenu.Group key={items.map((item) => item.label).join()} className="menu-group">
              {at > 0 && <DropdownMenu.Separator className="menu-line" />}
              {items.map((item) => (
                <Item key={item.label} item={item} />
              ))}
            </DropdownMenu.Group>
          ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
