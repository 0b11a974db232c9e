import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { t } from "#shared/messages/translate.ts";
import { logTrouble } from "#webapp/app/log.ts";
import type { PagedDocument } from "../state.ts";

const WIDTH = 112;
const OVERSCAN = 5;
const LABEL = 28;

/** Thumbnails are painted one at a time, so that they do not delay the current page. */
let turn: Promise<unknown> = Promise.resolve();

function useThumbnail({ file }: PagedDocument, page: number) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isGone = false;
    const paint = async () => {
      const canvas = ref.current;
      if (isGone || !canvas) return;
      const proxy = await file.page(page);
      const { width } = proxy.getViewport({ scale: 1 });
      const viewport = proxy.getViewport({ scale: WIDTH / width });
      canvas.width = Math.round(viewport.width);
      canvas.height = Math.round(viewport.height);
      await proxy.render({ canvas, viewport }).promise;
    };
    turn = turn.then(paint, paint).catch((error: unknown) => {
      if (!isGone) logTrouble("Could not paint a thumbnail", error);
    });
    return () => {
      isGone = true;
    };
  }, [file, page]);
  return ref;
}

function Thumbnail({
  open,
  page,
  isNow,
  height,
}: {
  open: PagedDocument;
  page: number;
  isNow: boolean;
  height: number;
}) {
  const canvas = useThumbnail(open, page);
  return (
    <button
      type="button"
      className="pdf-thumb"
      aria-current={isNow ? "page" : undefined}
      aria-label={t("pdf.go_to_page", { page })}
      onClick={() => open.flow.jump(page)}
    >
      <canvas ref={canvas} style={{ width: WIDTH, height }} />
      <span aria-hidden>{page}</span>
    </button>
  );
}

export function Thumbnails({ open }: { open: PagedDocument }) {
  const { flow } = open;
  const { page: now } = useSyncExternalStore(flow.subscribe, flow.view);
  const scroller = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 600, width: 300 });
  const { width: pageWidth, height: pageHeight } = open.file.firstSize;
  const height = Math.round((WIDTH * pageHeight) / pageWidth);
  const columns = Math.max(1, Math.floor((place.width - 8) / (WIDTH + 16)));
  const rowHeight = height + LABEL;
  const rows = Math.ceil(flow.pageCount / columns);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () =>
      setPlace({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth });
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const top = Math.floor((now - 1) / columns) * rowHeight;
    if (top < element.scrollTop || top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top - element.clientHeight / 3;
  }, [now, columns, rowHeight]);
  const first = Math.max(0, Math.floor(place.top / rowHeight) - OVERSCAN);
  const last = Math.min(rows, Math.ceil((place.top + place.height) / rowHeight) + OVERSCAN);
  const pages = Array.from({ length: Math.max(0, (last - first) * columns) }, (_, i) => first * columns + i + 1);
  return (
    <div
      ref={scroller}
      className="pdf-thumbs"
      onScroll={(event) => {
        const { scrollTop: top, clientHeight, clientWidth } = event.currentTarget;
        setPlace({ top, height: clientHeight, width: clientWidth });
      }}
    >
      <div style={{ height: first * rowHeight }} />
      <div
        className="pdf-thumb-grid"
        style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gridAutoRows: rowHeight }}
      >
        {pages
          .filter((page) => page <= flow.pageCount)
          .map((page) => (
            <Thumbnail key={page} open={open} page={page} isNow={page === now} height={height} />
          ))}
      </div>
      <div style={{ height: Math.max(0, (rows - last) * rowHeight) }} />
    </div>
  );
}
