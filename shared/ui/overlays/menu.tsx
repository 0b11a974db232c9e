import { cloneElement, useState, type ComponentType, type KeyboardEvent, type PointerEvent } from "react";
import type { MenuProps } from "./menu-items.ts";

type OpenedBy = "pointer" | "keys";
type List = ComponentType<MenuProps & { openedBy?: OpenedBy }>;

let loadingList: Promise<List> | undefined;

/** The menu's code is loaded on hover or focus, because no screen needs it at first. */
function loadMenuList(): Promise<List> {
  loadingList ??= import("./menu-list.tsx").then(
    ({ MenuList }) => MenuList,
    (error: unknown) => {
      // Loading failed; the next press tries again.
      loadingList = undefined;
      throw error;
    },
  );
  return loadingList;
}

const prefetch = () => void loadMenuList().catch(() => undefined);

const OPENING_KEYS = new Set(["Enter", " ", "ArrowDown"]);

/** A button that opens a menu. */
export function Menu(props: MenuProps) {
  const [shown, setShown] = useState<{ List: List; openedBy: OpenedBy }>();
  if (shown) return <shown.List {...props} openedBy={shown.openedBy} />;
  const open = (openedBy: OpenedBy) =>
    void loadMenuList().then(
      (List) => setShown({ List, openedBy }),
      () => undefined,
    );
  const { trigger } = props;
  const triggerProps = trigger.props;
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: (event: PointerEvent<HTMLButtonElement>) => {
      triggerProps.onPointerEnter?.(event);
      prefetch();
    },
    onFocus: (event) => {
      triggerProps.onFocus?.(event);
      prefetch();
    },
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      triggerProps.onPointerDown?.(event);
      if (event.defaultPrevented || event.button !== 0 || event.ctrlKey) return;
      // The focus must move into the menu.
      event.preventDefault();
      open("pointer");
    },
    onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
      triggerProps.onKeyDown?.(event);
      if (event.defaultPrevented || !OPENING_KEYS.has(event.key)) return;
      event.preventDefault();
      open("keys");
    },
  });
}
