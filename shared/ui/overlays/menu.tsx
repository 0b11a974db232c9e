import { cloneElement, useState, type ComponentType, type KeyboardEvent, type PointerEvent } from "react";
import type { MenuProps } from "./menu-items.ts";

type OpenedBy = "pointer" | "keys";
type List = ComponentType<MenuProps & { openedBy?: OpenedBy }>;

let fetched: Promise<List> | undefined;

/** The menu's code is loaded on hover or focus: no screen needs it at first. */
function fetchList(): Promise<List> {
  fetched ??= import("./menu-list.tsx").then(
    ({ MenuList }) => MenuList,
    (error: unknown) => {
      // Not reachable now: the next press tries again.
      fetched = undefined;
      throw error;
    },
  );
  return fetched;
}

const prefetch = () => void fetchList().catch(() => undefined);

const OPENING_KEYS = new Set(["Enter", " ", "ArrowDown"]);

/** A button that opens a menu. */
export function Menu(props: MenuProps) {
  const [shown, setShown] = useState<{ List: List; openedBy: OpenedBy }>();
  if (shown) return <shown.List {...props} openedBy={shown.openedBy} />;
  const open = (openedBy: OpenedBy) =>
    void fetchList().then(
      (List) => setShown({ List, openedBy }),
      () => undefined,
    );
  const { trigger } = props;
  const own = trigger.props;
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: (event: PointerEvent<HTMLButtonElement>) => {
      own.onPointerEnter?.(event);
      prefetch();
    },
    onFocus: (event) => {
      own.onFocus?.(event);
      prefetch();
    },
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      own.onPointerDown?.(event);
      if (event.defaultPrevented || event.button !== 0 || event.ctrlKey) return;
      // The focus must move into the menu.
      event.preventDefault();
      open("pointer");
    },
    onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
      own.onKeyDown?.(event);
      if (event.defaultPrevented || !OPENING_KEYS.has(event.key)) return;
      event.preventDefault();
      open("keys");
    },
  });
}
