import { useEffect, useRef } from "react";
import type { Annotation } from "#shared/pdf/annotations.ts";
import { unturnRect } from "../viewer/page-layout.ts";
import type { PagedDocument } from "../state.ts";

function markAt(open: PagedDocument, marks: readonly Annotation[], event: MouseEvent): Annotation | undefined {
  const page = event.target instanceof Element ? event.target.closest<HTMLElement>(".pdf-page") : null;
  if (!page) return undefined;
  const { scale, turn } = open.flow.view();
  const { left, top } = page.getBoundingClientRect();
  const number = Number(page.dataset["page"]);
  const point = unturnRect(
    [(event.clientX - left) / scale, (event.clientY - top) / scale, 0, 0],
    open.flow.sizeOf(number),
    turn,
  );
  return marks.find(({ places }) =>
    places.some(
      (place) =>
        place.page === number &&
        place.rects.some(
          ([x, y, width, height]) => point[0] >= x && point[0] <= x + width && point[1] >= y && point[1] <= y + height,
        ),
    ),
  );
}

/** Opens the highlight that is clicked; dragging over it selects text as usual. */
export function useMarkPress(
  open: PagedDocument,
  marks: readonly Annotation[],
  onPress: (mark: Annotation) => void,
): void {
  const held = useRef({ marks, onPress });
  useEffect(() => {
    held.current = { marks, onPress };
  });
  useEffect(() => {
    const pressed = (event: MouseEvent) => {
      if (document.getSelection()?.isCollapsed === false) return;
      const mark = markAt(open, held.current.marks, event);
      if (mark) held.current.onPress(mark);
    };
    document.addEventListener("click", pressed);
    return () => document.removeEventListener("click", pressed);
  }, [open]);
}
