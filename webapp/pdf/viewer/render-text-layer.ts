import type { TextContent } from "pdfjs-dist/types/src/display/api.d.ts";
import { waitForIdle } from "#webapp/app/browser/wait-for-idle.ts";
import { TextLayer } from "./pdfjs.ts";
import { guardSelection } from "./selection-guard.ts";
import type { PagedDocument } from "../state.ts";

/** Number of text items laid out per idle callback. */
const ITEMS_PER_SLICE = 60;
const IDLE_TIMEOUT_MS = 200;

function streamInSlices({ items, styles, lang }: TextContent): ReadableStream {
  let offset = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (offset > 0) await waitForIdle(IDLE_TIMEOUT_MS);
        controller.enqueue({ items: items.slice(offset, offset + ITEMS_PER_SLICE), styles, lang });
        offset += ITEMS_PER_SLICE;
        if (offset >= items.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Lays transparent text over a page's picture for selection and screen readers; CSS scales it. */
export async function renderTextLayer(
  { file, flow }: PagedDocument,
  { page, turn }: { page: number; turn: number },
  host: Element,
): Promise<void> {
  const proxy = await file.page(page);
  const { width, height } = proxy.getViewport({ scale: 1 });
  flow.setPageSize(page, { width, height });
  const viewport = proxy.getViewport({ scale: 1, rotation: (proxy.rotate + turn) % 360 });
  const content = await file.getPageContent(page);
  const layer = document.createElement("div");
  layer.className = "textLayer";
  guardSelection(layer);
  await new TextLayer({ textContentSource: streamInSlices(content), container: layer, viewport }).render();
  host.replaceChildren(layer);
}
