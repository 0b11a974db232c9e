import { expect, test } from "vitest";
import { openForRendering, renderPage } from "#api/documents/ocr/rasters.ts";
import { startApi } from "#tests/kit/api.ts";
import { madePdf } from "#tests/pdf/made-pdf.ts";

/** A picture of printed text, as a data address. */
async function pictureOf(text: string): Promise<string> {
  const document = await openForRendering(new Uint8Array(madePdf([[{ x: 60, y: 100, text, size: 14 }]])));
  const { image } = await renderPage(document, 1);
  await document.loadingTask.destroy();
  return `data:image/png;base64,${image.toString("base64")}`;
}

const aPicture = (url: string) => ({ type: "image_url" as const, image_url: { url, detail: "low" as const } });

test("the words in a picture are part of the question; a picture without words adds none", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const picture = await pictureOf("How does osmosis move water through a membrane?");
  const plan = (...content: ({ type: "text"; text: string } | ReturnType<typeof aPicture>)[]) =>
    ada.client.research.plan({ messages: [{ role: "user", content }] });
  expect(await plan(aPicture(picture))).toMatchObject({
    result: "done",
    message: "How does osmosis move water through a membrane?",
  });
  expect((await plan({ type: "text", text: "Answer this:" }, aPicture(picture))).message).toContain("osmosis");
  const broken = aPicture("data:image/png;base64,AAAA");
  await expect(plan(broken)).rejects.toMatchObject({ code: "bad_input" });
  // An address is never fetched.
  await expect(plan(aPicture("https://example.org/picture.png"))).rejects.toMatchObject({ code: "bad_input" });
});
