import { useMemo, useRef, type PointerEvent } from "react";

const MIN_SWIPE_PX = 56;
const MAX_TAP_PX = 10;

interface SwipeHandlers {
  onLeft?: (() => void) | undefined;
  onRight?: (() => void) | undefined;
  onTap?: (() => void) | undefined;
}

const isInteractive = (target: EventTarget) =>
  target instanceof Element && target.closest("button, a, input, textarea, select, audio, summary") !== null;

/** Whether the touch is on something that scrolls sideways, such as a wide formula. */
function isOnWidePart(target: EventTarget, card: Element): boolean {
  for (let part = target instanceof Element ? target : null; part && part !== card; part = part.parentElement)
    if (part.scrollWidth > part.clientWidth && getComputedStyle(part).overflowX === "auto") return true;
  return false;
}

/** Touch gestures on a card: swipes left and right, and taps outside buttons. Vertical movement still scrolls. */
export function useSwipe({ onLeft, onRight, onTap }: SwipeHandlers) {
  const start = useRef<{ id: number; x: number; y: number } | null>(null);
  return useMemo(
    () => ({
      onPointerDown(event: PointerEvent) {
        if (event.pointerType !== "touch" || !event.isPrimary) return;
        start.current = { id: event.pointerId, x: event.clientX, y: event.clientY };
      },
      onPointerCancel() {
        start.current = null;
      },
      onPointerUp(event: PointerEvent) {
        const from = start.current;
        start.current = null;
        if (from?.id !== event.pointerId) return;
        const [deltaX, deltaY] = [event.clientX - from.x, Math.abs(event.clientY - from.y)];
        const isSwipe = Math.abs(deltaX) >= MIN_SWIPE_PX && Math.abs(deltaX) > 2 * deltaY;
        const isTap = Math.abs(deltaX) < MAX_TAP_PX && deltaY < MAX_TAP_PX && !isInteractive(event.target);
        if (isSwipe && isOnWidePart(event.target, event.currentTarget)) return;
        const handler = isSwipe ? (deltaX < 0 ? onLeft : onRight) : isTap ? onTap : undefined;
        // Runs after the touch event, because the browser drops the next tap if the target is removed during the event.
        if (handler) setTimeout(handler);
      },
    }),
    [onLeft, onRight, onTap],
  );
}
