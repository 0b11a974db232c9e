import { useEffect, type RefObject } from "react";
import type { Flow } from "./flow.ts";

/** Zooms around the pointer or the fingers: touch pinch, trackpad pinch, or Ctrl with the wheel. */
export function usePinch(ref: RefObject<HTMLElement | null>, flow: Flow): void {
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const pointers = new Map<number, PointerEvent>();
    let start: { distance: number; scale: number } | undefined;
    const focusOf = (x: number, y: number) => {
      const { left, top } = element.getBoundingClientRect();
      return { left: x - left, top: y - top };
    };
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0022));
      flow.setZoom(flow.view().scale * factor, focusOf(event.clientX, event.clientY));
    };
    const down = (event: PointerEvent) => {
      if (event.pointerType !== "touch") return;
      pointers.set(event.pointerId, event);
      const distance = distanceOf(pointers);
      start = distance === undefined ? undefined : { distance, scale: flow.view().scale };
    };
    const move = (event: PointerEvent) => {
      if (!pointers.has(event.pointerId)) return;
      pointers.set(event.pointerId, event);
      const distance = distanceOf(pointers);
      if (!start || distance === undefined) return;
      const [a, b] = [...pointers.values()];
      if (!a || !b) return;
      const focus = focusOf((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
      flow.setZoom((start.scale * distance) / start.distance, focus);
    };
    const up = (event: PointerEvent) => {
      pointers.delete(event.pointerId);
      start = undefined;
    };
    element.addEventListener("wheel", wheel, { passive: false });
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    return () => {
      element.removeEventListener("wheel", wheel);
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", up);
    };
  }, [ref, flow]);
}

function distanceOf(pointers: ReadonlyMap<number, PointerEvent>): number | undefined {
  const [a, b] = [...pointers.values()];
  return pointers.size === 2 && a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : undefined;
}
