import { ulid } from "ulid";
import { pdfCitation } from "#shared/citations.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import { screenPath } from "#shared/screens.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import type { OcclusionPicture } from "#webapp/flashcards/occlusion-picture.ts";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { queue } from "#webapp/offline/sync.ts";
import { rotateRect } from "../viewer/page-layout.ts";
import type { PagedDocument } from "../state.ts";

/** Pixels per point: sharp in print and on high-density screens. */
const PIXELS_PER_POINT = 3;
const MAX_PIXELS = 12_000_000;

export interface Area {
  page: number;
  /** In points from the top left of the page as stored, before any rotation. */
  rect: PageRect;
}

/** Renders an area of a page in the current rotation. */
export async function renderArea({ file, flow }: PagedDocument, { page, rect }: Area): Promise<Blob> {
  const proxy = await file.page(page);
  const { turn } = flow.view();
  const [x, y, width, height] = rotateRect(rect, flow.sizeOf(page), turn);
  const scale = Math.min(PIXELS_PER_POINT, Math.sqrt(MAX_PIXELS / (width * height)));
  const viewport = proxy.getViewport({
    scale,
    rotation: (proxy.rotate + turn) % 360,
    offsetX: -x * scale,
    offsetY: -y * scale,
  });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  await proxy.render({ canvas, viewport }).promise;
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("The canvas could not be encoded as a PNG"))),
      "image/png",
    );
  });
}

/** Uploads a picture to the document's page and stores its location in the document. */
async function uploadPicture(open: PagedDocument, { page, rect }: Area, picture: Blob): Promise<OcclusionPicture> {
  const name = t("pdf.area_name", { page, source: open.name });
  const files = [{ field: "file", file: picture, name: `${name.replaceAll(/[/\\]/g, "-")}.png` }];
  const { component } = await client.uploads.uploadImageComponent({ pageId: open.pageId, componentId: ulid() }, files);
  const citation = pdfCitation(open.componentId, page);
  const { content } = component;
  const newContent = { ...content, title: name, takenFrom: { citation, rect } };
  await queue().enqueue("component_content_update", component._id, { newContent }, { baseVersion: component.version });
  if (!("file" in content)) throw new Error("The uploaded picture was stored without a file");
  return { pageId: open.pageId, fileId: content.file.id, name, citation };
}

/** Saves a picture to the document's page; returns undefined on failure. */
export async function savePicture(
  open: PagedDocument,
  area: Area,
  picture: Blob,
): Promise<OcclusionPicture | undefined> {
  try {
    const saved = await uploadPicture(open, area, picture);
    const openPage = () => goTo(screenPath("page", { id: open.pageId }));
    notify({
      message: t("pdf.area_added"),
      type: "success",
      action: { label: t("pdf.area_open_page"), run: openPage },
    });
    return saved;
  } catch (error) {
    logWarning("Could not save a picture of an area", error);
    notify({ message: toFailureMessage(error, "upload")?.message ?? t("pdf.area_failed"), type: "error" });
    return undefined;
  }
}

export async function copyPicture(picture: Blob): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    notify({ message: t("pdf.copied"), type: "success" });
  } catch (error) {
    logWarning("Could not write to the clipboard", error);
    notify({ message: t("pdf.copy_failed"), type: "error" });
  }
}
