import { useEffectEvent, useLayoutEffect } from "react";

/** Someone who writes, or reads a dialog or a menu, means that and not the card. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [role=menu]") !== null;

/** A button that has the focus hears these keys itself. */
const isHeardThere = ({ key, target }: KeyboardEvent) =>
  (key === " " || key === "Enter") && target instanceof HTMLElement && target.closest("button, a, summary") !== null;

/** Keys that mean something else: to the browser, to who writes a letter of several strokes, to who writes at all. */
const isOthers = (event: KeyboardEvent) =>
  event.defaultPrevented ||
  event.isComposing ||
  event.altKey ||
  event.ctrlKey ||
  event.metaKey ||
  event.shiftKey ||
  isTyping(event.target);

/** Keys of the whole screen, by their names; letters count in either case. */
export function useModeKeys(actions: Readonly<Record<string, (() => unknown) | undefined>>): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (isOthers(event)) return;
    // A key that is held down says one thing, not many, to a button as well.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
    if (isHeardThere(event)) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    if (!event.repeat) action();
  });
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => act(event);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
