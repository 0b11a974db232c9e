import type { TestUser } from "./api.ts";
import { tinyPdf } from "./pdf/tiny-pdf.ts";

/** Uploads a picture to a page. */
export async function aPicture(user: TestUser, pageId: string): Promise<{ componentId: string; fileId: string }> {
  // The smallest PNG: one transparent pixel.
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const file = new Blob([Buffer.from(pixel, "base64")], { type: "image/png" });
  const { component } = await user.client.uploads.uploadImageComponent({ pageId }, [
    { field: "file", file, name: "cell.png" },
  ]);
  if (component.type !== "image") throw new Error(`a PNG became a ${component.type}`);
  return { componentId: component._id, fileId: component.content.file.id };
}

/** Uploads a PDF of one page to a page. */
export async function aPdf(user: TestUser, pageId: string, text: string): Promise<string> {
  const bytes = await tinyPdf([[text]]).bytes();
  const files = [{ field: "file", file: new Blob([new Uint8Array(bytes)]), name: "genes.pdf" }];
  return (await user.client.uploads.uploadImageComponent({ pageId }, files)).component._id;
}
