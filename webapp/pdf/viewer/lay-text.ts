import type { TextContent } from "pdfjs-dist/types/src/display/api.d.ts";
import { TextLayer } from "./pdfjs.ts";
import type { PagedDocument } from "../state.ts";

/** Number of text items laid out per idle callback. */
const SLICE = 60;
const LATEST_MS = 200;

const spareTime = () =>
  new Promise<void>((done) => {
    // Safari has no `requestIdleCallback`.
    if (typeof requestIdleCallback === "undefined") setTimeout(done);
    else requestIdleCallback(() => done(), { timeout: LATEST_MS });
  });

function inSlices({ items, styles, lang }: TextContent): ReadableStream {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at > 0) await spareTime();
        controller.enqueue({ items: items.slice(at, at + SLICE), styles, lang });
        at += SLICE;
        if (at >= items.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Lays transparent text over a page's picture for selection and screen readers; CSS scales it. */
export async function layText(
  { file, flow }: PagedDocument,
  { page, turn }: { page: number; turn: number },
  place: Element,
): Promise<void> {
  const proxy = await file.page(page);
  const { width, height } = proxy.getViewport({ scale: 1 });
  flow.learnSize(page, { width, height });
  const viewport = proxy.getViewport({ scale: 1, rotation: (proxy.rotate + turn) % 360 });
  const content = await file.contentOf(page);
  const layer = document.createElement("div");
  layer.className = "textLayer";
  await new TextLayer({ textContentSource: inSlices(content), container: layer, viewport }).render();
  place.replaceChildren(layer);
}
