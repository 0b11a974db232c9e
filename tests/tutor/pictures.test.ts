import { expect, onTestFinished, test } from "vitest";
import sharp from "sharp";
import { startApi } from "#tests/kit/api.ts";
import { aPage } from "#tests/store/changes.ts";
import { startModelServer, type Turn } from "#tests/kit/servers/model-server.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";

async function aStudentWithAPicture(script: Turn[]) {
  const server = await startModelServer({ script, say: () => "It shows a red field." });
  onTestFinished(() => server.close());
  const api = await startApi({ env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model" }, realClock: true });
  const ada = await api.newUser({ plan: "FREE" });
  const pageId = await aPage(ada);
  const png = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const file = { field: "file", file: new Blob([new Uint8Array(png)]), name: "field.png" };
  const { component } = await ada.client.uploads.uploadImageComponent({ pageId }, [file]);
  const ground = { kind: "chosen" as const, pageIds: [], componentIds: [component._id] };
  return { server, api, ada, ground };
}

test("a selected picture is sent to the model, scaled down", async () => {
  const { server, ada, ground } = await aStudentWithAPicture([]);
  const { message } = await ask(ada.client, aQuestion({ text: "What does this show?", ground }));
  expect(message.text).toBe("It shows a red field.");
  const [url = ""] = server.requests.at(-1)?.images ?? [];
  expect(url).toMatch(/^data:image\/jpeg;base64,/);
  const shown = await sharp(Buffer.from(url.split(",")[1] ?? "", "base64")).metadata();
  expect([shown.width, shown.height]).toEqual([1280, 640]);
});

test.each<Turn>(["sightless", "breaks_over_pictures"])(
  "a model without image support (%s) is asked without pictures, with a note",
  async (turn) => {
    const { ada, ground } = await aStudentWithAPicture([turn, turn, turn, turn]);
    const { message } = await ask(ada.client, aQuestion({ text: "What does this show?", ground }));
    expect(message.status).toBe("done");
    expect(message.text).toContain("It shows a red field.");
    expect(message.text).toContain("can't see pictures");
  },
);

test("another account's picture isn't sent", async () => {
  const { server, api, ground } = await aStudentWithAPicture([]);
  const eve = await api.newUser();
  await ask(eve.client, aQuestion({ text: "What does this show?", ground }));
  expect(server.requests.flatMap(({ images }) => images)).toEqual([]);
});
