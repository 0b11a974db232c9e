import { useEffectEvent, useLayoutEffect } from "react";
import { isForField } from "#shared/study/session-keys.ts";

/** A focused button handles these keys itself. */
const isHandledByTarget = ({ key, target }: KeyboardEvent) =>
  (key === " " || key === "Enter") && target instanceof HTMLElement && target.closest("button, a, summary") !== null;

/** Whether a key has another purpose: a browser shortcut, input-method composition, or typing. */
const isReservedKey = (event: KeyboardEvent) =>
  event.defaultPrevented ||
  event.isComposing ||
  event.altKey ||
  event.ctrlKey ||
  event.metaKey ||
  event.shiftKey ||
  isForField(event);

/** Keyboard shortcuts for the whole screen by key name; letters are case-insensitive. */
export function useModeKeys(actions: Readonly<Record<string, (() => unknown) | undefined>>): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (isReservedKey(event)) return;
    // A key that is held down counts once, also on buttons.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
    if (isHandledByTarget(event)) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    if (!event.repeat) action();
  });
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
