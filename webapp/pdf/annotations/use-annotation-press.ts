import { useEffect, useRef } from "react";
import type { Annotation } from "#shared/pdf/annotations.ts";
import { unrotateRect } from "../viewer/page-layout.ts";
import type { PagedDocument } from "../state.ts";

function findAnnotationAt(
  open: PagedDocument,
  annotations: readonly Annotation[],
  event: MouseEvent,
): Annotation | undefined {
  const page = event.target instanceof Element ? event.target.closest<HTMLElement>(".pdf-page") : null;
  if (!page) return undefined;
  const { scale, turn } = open.flow.view();
  const { left, top } = page.getBoundingClientRect();
  const number = Number(page.dataset["page"]);
  const point = unrotateRect(
    [(event.clientX - left) / scale, (event.clientY - top) / scale, 0, 0],
    open.flow.sizeOf(number),
    turn,
  );
  return annotations.find(({ places }) =>
    places.some(
      (position) =>
        position.page === number &&
        position.rects.some(
          ([x, y, width, height]) => point[0] >= x && point[0] <= x + width && point[1] >= y && point[1] <= y + height,
        ),
    ),
  );
}

/** Opens the highlight that is clicked; dragging over it selects text as usual. */
export function useAnnotationPress(
  open: PagedDocument,
  annotations: readonly Annotation[],
  onPress: (annotation: Annotation) => void,
): void {
  const latest = useRef({ annotations, onPress });
  useEffect(() => {
    latest.current = { annotations, onPress };
  });
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (document.getSelection()?.isCollapsed === false) return;
      const annotation = findAnnotationAt(open, latest.current.annotations, event);
      if (annotation) latest.current.onPress(annotation);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [open]);
}
