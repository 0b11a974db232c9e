import sharp from "sharp";
import { ulid } from "ulid";
import { registerAccount } from "#tests/kit/account.ts";
import type { ServerProcess } from "../../tests/kit/servers/server-process.ts";

const words =
  "the flow of genetic information runs from the template strand to the ribosome and on to the protein".split(" ");
const sentence = (seed: number, length: number) =>
  Array.from({ length }, (_, i) => words[(seed * 7 + i * 3) % words.length]).join(" ");

const subTypes = ["normal", "normal", "normal", "list_unordered", "list_ordered", "heading_2", "block_quote"];

function buildContent(i: number, picture: unknown): { type: string; content: unknown } {
  if (i % 100 === 80) return { type: "image", content: picture };
  if (i % 50 === 20) return { type: "divider", content: {} };
  if (i % 50 === 30) return { type: "code_block", content: { code: "const codon = 'AUG';\n", language: "js" } };
  if (i % 50 === 40) return { type: "equation", content: { latex: "E = mc^2" } };
  if (i % 100 === 60) {
    const cards = Array.from({ length: 8 }, (_, k) => ({
      id: ulid(),
      question: sentence(k, 8),
      answer: sentence(i, 5),
    }));
    return { type: "flash_cards", content: { title: sentence(i, 3), cards } };
  }
  const text = [{ content: sentence(i, 7) }, { content: ` ${sentence(i + 1, 2)}`, attributes: { bold: i % 5 === 0 } }];
  const metadata = { indents: 0, highlightColor: null };
  return { type: "text", content: { text, subType: subTypes[i % subTypes.length], metadata } };
}

/** Creates an empty page and returns its id. */
export async function createEmptyPage({ origin }: ServerProcess, token: string): Promise<string> {
  const [resourceId, createdAt] = [ulid(), Date.now()];
  const request = { id: ulid(), clientId: "bench-empty", seq: 1, createdAt, type: "page_create", resourceId };
  await post(origin, "/v1/sync", token, { payload: [{ ...request, data: { title: "Tunnel", createdAt } }] });
  return resourceId;
}

async function post(origin: string, path: string, token: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const response = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** The content of an image component, with a real uploaded image. */
async function uploadPicture(origin: string, token: string, pageId: string): Promise<unknown> {
  const png = await sharp({ create: { width: 640, height: 360, channels: 3, background: "#8fb3d9" } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set("pageId", pageId);
  form.set("file", new Blob([new Uint8Array(png)], { type: "image/png" }), "cell.png");
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${origin}/v1/pages/upload/image_component`, { method: "POST", headers, body: form });
  if (!answer.ok) throw new Error(`the picture was answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { component: { content: unknown } }).component.content;
}

/** Creates an account with one page of `count` mixed components. */
export async function createLongPage(
  { origin }: ServerProcess,
  count: number,
): Promise<{ token: string; pageId: string }> {
  const { token } = await registerAccount(origin);
  const pageId = ulid();
  const now = Date.now();
  let seq = 0;
  const request = (type: string, resourceId: string, data: unknown) => {
    seq += 1;
    return { id: ulid(), clientId: "bench", seq, createdAt: now, type, resourceId, data };
  };
  await post(origin, "/v1/sync", token, {
    payload: [request("page_create", pageId, { title: "Long", createdAt: now })],
  });
  const picture = await uploadPicture(origin, token, pageId);
  const ids: string[] = [];
  for (let at = 0; at < count; at += 250) {
    const payload = Array.from({ length: Math.min(250, count - at) }, (_, k) => {
      const _id = ulid();
      ids.push(_id);
      const times = { createdAt: now, modifiedAt: now, createdBy: "bench", lastOpenedAt: null, version: 1 };
      const component = { _id, pageId, ...times, ...buildContent(at + k, picture) };
      return request("component_create", _id, { parentId: pageId, component });
    });
    await post(origin, "/v1/sync", token, { payload });
  }
  await post(origin, "/v1/sync", token, { payload: [request("page_component_sort", pageId, { componentIds: ids })] });
  return { token, pageId };
}
