import { useEffect, type RefObject } from "react";
import type { Flow } from "./flow.ts";

/** Zooms around the pointer or the fingers: touch pinch, trackpad pinch, or Ctrl with the wheel. */
export function usePinchZoom(ref: RefObject<HTMLElement | null>, flow: Flow): void {
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const pointers = new Map<number, PointerEvent>();
    let start: { distance: number; scale: number } | undefined;
    const toLocalPoint = (x: number, y: number) => {
      const { left, top } = element.getBoundingClientRect();
      return { left: x - left, top: y - top };
    };
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0022));
      flow.setZoom(flow.view().scale * factor, toLocalPoint(event.clientX, event.clientY));
    };
    const onPointerDown = (event: PointerEvent) => {
      if (event.pointerType !== "touch") return;
      pointers.set(event.pointerId, event);
      const distance = measureDistance(pointers);
      start = distance === undefined ? undefined : { distance, scale: flow.view().scale };
    };
    const onPointerMove = (event: PointerEvent) => {
      if (!pointers.has(event.pointerId)) return;
      pointers.set(event.pointerId, event);
      const distance = measureDistance(pointers);
      if (!start || distance === undefined) return;
      const [a, b] = [...pointers.values()];
      if (!a || !b) return;
      const focus = toLocalPoint((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
      flow.setZoom((start.scale * distance) / start.distance, focus);
    };
    const onPointerUp = (event: PointerEvent) => {
      pointers.delete(event.pointerId);
      start = undefined;
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    element.addEventListener("pointerdown", onPointerDown);
    element.addEventListener("pointermove", onPointerMove);
    element.addEventListener("pointerup", onPointerUp);
    element.addEventListener("pointercancel", onPointerUp);
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("pointerdown", onPointerDown);
      element.removeEventListener("pointermove", onPointerMove);
      element.removeEventListener("pointerup", onPointerUp);
      element.removeEventListener("pointercancel", onPointerUp);
    };
  }, [ref, flow]);
}

function measureDistance(pointers: ReadonlyMap<number, PointerEvent>): number | undefined {
  const [a, b] = [...pointers.values()];
  return pointers.size === 2 && a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : undefined;
}
