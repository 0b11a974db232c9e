import { useMemo, useRef, type PointerEvent } from "react";

const MIN_SWIPE_PX = 56;
/** A shorter movement is a tap. */
const MAX_TAP_PX = 10;
/** How much of the finger's way a card follows to a side where nothing happens. */
const RESISTANCE = 0.2;
const TILT_DEGREES_PER_PX = 0.03;
const ANIMATION_MS = 180;

type Side = "left" | "right";

interface SwipeHandlers {
  onLeft?: (() => unknown) | undefined;
  onRight?: (() => unknown) | undefined;
  onTap?: (() => unknown) | undefined;
  /** A click with the mouse outside buttons that selects no text. */
  onClick?: (() => unknown) | undefined;
  /** Shown on the card while it is far enough to one side. */
  labels?: Readonly<Record<Side, string>> | undefined;
}

const isInteractive = (target: EventTarget) =>
  target instanceof Element && target.closest("button, a, input, textarea, select, audio, summary") !== null;

/** Whether the touch is on something that scrolls sideways, such as a wide formula. */
function isOnWidePart(target: EventTarget, card: Element): boolean {
  for (let part = target instanceof Element ? target : null; part && part !== card; part = part.parentElement)
    if (part.scrollWidth > part.clientWidth && getComputedStyle(part).overflowX === "auto") return true;
  return false;
}

const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const transformAt = (x: number) =>
  prefersReducedMotion() ? `translateX(${x}px)` : `translateX(${x}px) rotate(${x * TILT_DEGREES_PER_PX}deg)`;

/** Moves a card to a horizontal position, without an animation if the student wants less motion. */
async function glide(card: HTMLElement, to: number): Promise<void> {
  const from = card.style.transform;
  card.style.transform = to === 0 ? "" : transformAt(to);
  if (prefersReducedMotion()) return;
  const frames = [{ transform: from }, { transform: to === 0 ? "none" : transformAt(to) }];
  await card.animate(frames, { duration: ANIMATION_MS, easing: "ease-out" }).finished;
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

interface Gesture {
  pointerId: number;
  x: number;
  y: number;
  /** The card that follows the finger, once it moves sideways. */
  card: HTMLElement | undefined;
}

/** The card itself, without what is around it. */
const findCard = (host: Element): HTMLElement | undefined =>
  (host.matches(".study-card") ? [host] : [...host.querySelectorAll(".study-card")]).find(
    (card) => card instanceof HTMLElement,
  );

const sideOf = (deltaX: number): Side => (deltaX < 0 ? "left" : "right");

/** Moves the card with the finger, with little of its way to a side without a handler. */
function follow(card: HTMLElement, deltaX: number, { onLeft, onRight, labels }: SwipeHandlers): void {
  const handler = deltaX < 0 ? onLeft : onRight;
  card.style.transform = transformAt(handler ? deltaX : deltaX * RESISTANCE);
  if (handler && labels && Math.abs(deltaX) >= MIN_SWIPE_PX) card.dataset["swipe"] = labels[sideOf(deltaX)];
  else delete card.dataset["swipe"];
}

/** Moves the card out of the window and runs the handler; a card that is still shown then returns. */
async function leave(card: HTMLElement, side: Side, handler: () => unknown): Promise<void> {
  await glide(card, side === "left" ? -window.innerWidth : window.innerWidth);
  await handler();
  await nextFrame();
  await nextFrame();
  card.style.transform = "";
  delete card.dataset["swipe"];
}

/**
 * Gestures on a card: swipes left and right that the card follows, taps outside buttons, and clicks. Vertical movement still
 * scrolls.
 */
export function useSwipe({ onLeft, onRight, onTap, onClick, labels }: SwipeHandlers) {
  const gesture = useRef<Gesture | null>(null);
  const leaving = useRef<HTMLElement | undefined>(undefined);
  return useMemo(() => {
    const handlers = { onLeft, onRight, labels };
    const springBack = ({ card }: Gesture) => {
      if (!card) return;
      delete card.dataset["swipe"];
      void glide(card, 0);
    };
    const endSwipe = (started: Gesture, deltaX: number) => {
      const handler = deltaX < 0 ? onLeft : onRight;
      if (!started.card || !handler || Math.abs(deltaX) < MIN_SWIPE_PX) return springBack(started);
      leaving.current = started.card;
      return void leave(started.card, sideOf(deltaX), handler).finally(() => (leaving.current = undefined));
    };
    return {
      onPointerDown(event: PointerEvent) {
        const isMouse = event.pointerType === "mouse" && event.button === 0 && onClick !== undefined;
        if (!event.isPrimary || (event.pointerType !== "touch" && !isMouse)) return;
        if (leaving.current && leaving.current === findCard(event.currentTarget)) return;
        gesture.current = { pointerId: event.pointerId, x: event.clientX, y: event.clientY, card: undefined };
      },
      onPointerMove(event: PointerEvent) {
        const started = gesture.current;
        if (event.pointerType !== "touch" || started?.pointerId !== event.pointerId) return;
        const [deltaX, deltaY] = [event.clientX - started.x, Math.abs(event.clientY - started.y)];
        const isSideways = Math.abs(deltaX) >= MAX_TAP_PX && Math.abs(deltaX) > 2 * deltaY;
        if (!started.card && isSideways && !isOnWidePart(event.target, event.currentTarget))
          started.card = findCard(event.currentTarget);
        if (started.card) follow(started.card, deltaX, handlers);
      },
      onPointerCancel() {
        if (gesture.current) springBack(gesture.current);
        gesture.current = null;
      },
      onPointerUp(event: PointerEvent) {
        const started = gesture.current;
        gesture.current = null;
        if (started?.pointerId !== event.pointerId) return;
        const [deltaX, deltaY] = [event.clientX - started.x, Math.abs(event.clientY - started.y)];
        if (started.card) return endSwipe(started, deltaX);
        if (Math.abs(deltaX) >= MAX_TAP_PX || deltaY >= MAX_TAP_PX || isInteractive(event.target)) return;
        const isClick = event.pointerType === "mouse";
        if (isClick && getSelection()?.isCollapsed === false) return;
        const handler = isClick ? onClick : onTap;
        // Runs after the touch event, because the browser drops the next tap if the target is removed during the event.
        if (handler) setTimeout(handler);
      },
    };
  }, [onLeft, onRight, onTap, onClick, labels]);
}
