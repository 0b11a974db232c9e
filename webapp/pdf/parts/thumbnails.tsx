import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { t } from "#shared/messages/translate.ts";
import { logWarning } from "#webapp/app/log.ts";
import type { PagedDocument } from "../state.ts";

const THUMBNAIL_WIDTH_PX = 112;
const OVERSCAN = 5;
const LABEL_HEIGHT_PX = 28;

/** Thumbnails are painted one at a time, so that they do not delay the current page. */
let paintQueue: Promise<unknown> = Promise.resolve();

function useThumbnail({ file }: PagedDocument, page: number) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCancelled = false;
    const paint = async () => {
      const canvas = ref.current;
      if (isCancelled || !canvas) return;
      const proxy = await file.page(page);
      const { width } = proxy.getViewport({ scale: 1 });
      const viewport = proxy.getViewport({ scale: THUMBNAIL_WIDTH_PX / width });
      canvas.width = Math.round(viewport.width);
      canvas.height = Math.round(viewport.height);
      await proxy.render({ canvas, viewport }).promise;
    };
    paintQueue = paintQueue.then(paint, paint).catch((error: unknown) => {
      if (!isCancelled) logWarning("Could not paint a thumbnail", error);
    });
    return () => {
      isCancelled = true;
    };
  }, [file, page]);
  return ref;
}

function Thumbnail({
  open,
  page,
  isCurrent,
  height,
}: {
  open: PagedDocument;
  page: number;
  isCurrent: boolean;
  height: number;
}) {
  const canvas = useThumbnail(open, page);
  return (
    <button
      type="button"
      className="pdf-thumb"
      aria-current={isCurrent ? "page" : undefined}
      aria-label={t("pdf.go_to_page", { page })}
      onClick={() => open.flow.jump(page)}
    >
      <canvas ref={canvas} style={{ width: THUMBNAIL_WIDTH_PX, height }} />
      <span aria-hidden>{page}</span>
    </button>
  );
}

export function Thumbnails({ open }: { open: PagedDocument }) {
  const { flow } = open;
  const { page: currentPage } = useSyncExternalStore(flow.subscribe, flow.view);
  const scroller = useRef<HTMLDivElement>(null);
  const [scrollView, setScrollView] = useState({ top: 0, height: 600, width: 300 });
  const { width: pageWidth, height: pageHeight } = open.file.firstSize;
  const height = Math.round((THUMBNAIL_WIDTH_PX * pageHeight) / pageWidth);
  const columns = Math.max(1, Math.floor((scrollView.width - 8) / (THUMBNAIL_WIDTH_PX + 16)));
  const rowHeight = height + LABEL_HEIGHT_PX;
  const rows = Math.ceil(flow.pageCount / columns);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () =>
      setScrollView({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth });
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const top = Math.floor((currentPage - 1) / columns) * rowHeight;
    if (top < element.scrollTop || top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top - element.clientHeight / 3;
  }, [currentPage, columns, rowHeight]);
  const first = Math.max(0, Math.floor(scrollView.top / rowHeight) - OVERSCAN);
  const last = Math.min(rows, Math.ceil((scrollView.top + scrollView.height) / rowHeight) + OVERSCAN);
  const pages = Array.from({ length: Math.max(0, (last - first) * columns) }, (_, i) => first * columns + i + 1);
  return (
    <div
      ref={scroller}
      className="pdf-thumbs"
      onScroll={(event) => {
        const { scrollTop: top, clientHeight, clientWidth } = event.currentTarget;
        setScrollView({ top, height: clientHeight, width: clientWidth });
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
            <Thumbnail key={page} open={open} page={page} isCurrent={page === currentPage} height={height} />
          ))}
      </div>
      <div style={{ height: Math.max(0, (rows - last) * rowHeight) }} />
    </div>
  );
}
