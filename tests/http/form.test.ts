import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { type ClientRequest, IncomingMessage, request } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { receiveFormInWorker } from "#api/http/forms/form-client.ts";
import { aPage } from "#tests/store/changes.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { noise } from "#tests/kit/random.ts";

const MEGABYTE = 1024 * 1024;
const BOUNDARY = "a-form-of-ours";
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const END = `\r\n--${BOUNDARY}--\r\n`;

const fileHead = (name: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** Opens an upload that is then written piece by piece. */
function open(api: TestApi, user: TestUser, contentType = `multipart/form-data; boundary=${BOUNDARY}`): ClientRequest {
  const headers = { authorization: `Bearer ${user.token}`, "content-type": contentType };
  return request(`${api.origin}/v1/pages/upload/image_component`, { method: "POST", headers });
}

interface Answer {
  status: number | undefined;
  body: { code?: string; message?: string; component?: { content: { file: { id: string; sizeBytes: number } } } };
}

async function answerOf(call: ClientRequest): Promise<Answer> {
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(pieces).toString()) as Answer["body"] };
}

async function send(call: ClientRequest, pieces: Iterable<string | Uint8Array>): Promise<Answer> {
  const answered = answerOf(call);
  for (const piece of pieces) call.write(piece);
  call.end();
  return answered;
}

const listIncoming = (api: TestApi) => readdir(join(api.dataDir, "files", "incoming"));

async function student() {
  const api = await startApi();
  return { api, ada: await api.newUser() };
}

test("a file that arrives byte by byte, with its boundary split anywhere, is stored unchanged", async () => {
  const { api, ada } = await student();
  // The file also contains the closing boundary without its last letter, and then every byte value. The first of these
  // bytes does not complete the boundary.
  const every = Buffer.from(Array.from({ length: 300 }, (_, at) => at % 256));
  const bytes = Buffer.concat([PNG, Buffer.from(END.slice(0, -5)), every, Buffer.from("\r\n--a-form\r\n")]);
  const whole = Buffer.from([fileHead("a.png"), bytes.toString("latin1"), END].join(""), "latin1");
  const answer = await send(
    open(api, ada),
    [...whole].map((byte) => Uint8Array.of(byte)),
  );
  expect(answer.status).toBe(200);
  const key = createHash("sha256").update(bytes).digest("hex");
  const stored = await readFile(join(api.dataDir, "files", key.slice(0, 2), key));
  expect(stored.equals(bytes)).toBe(true);
});

test("several large files sent at once are each stored unchanged", async () => {
  const { api, ada } = await student();
  const files = [1, 2, 3, 4].map((file) => [
    PNG,
    ...Array.from({ length: 9 }, (_, at) => noise(MEGABYTE, file * 10 + at)),
  ]);
  const answers = await Promise.all(files.map((file) => send(open(api, ada), [fileHead("a.png"), ...file, END])));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const file of files) {
    const key = createHash("sha256").update(Buffer.concat(file)).digest("hex");
    const stored = await readFile(join(api.dataDir, "files", key.slice(0, 2), key));
    expect(createHash("sha256").update(stored).digest("hex")).toBe(key);
  }
  expect(await listIncoming(api)).toEqual([]);
});

test("an incomplete, invalid or oversized form is refused and leaves nothing behind", async () => {
  const { api, ada } = await student();
  const refusals: [ClientRequest, (string | Uint8Array)[], string, string][] = [
    [open(api, ada), [fileHead("a.png"), PNG], "bad_input", "The form is incomplete."],
    [
      open(api, ada),
      [fileHead("a\u0001.png"), PNG, END],
      "bad_input",
      "A file or field name in this form has unreadable characters. Rename the file and try again.",
    ],
    [open(api, ada, "application/json"), ["{}"], "bad_input", "Please send a multipart form."],
    [
      open(api, ada, "multipart/form-data"),
      [fileHead("a.png"), PNG, END],
      "bad_input",
      "Please send a multipart form.",
    ],
    [
      open(api, ada),
      [fileHead("a.png"), PNG, "\r\n", fileHead("b.png"), PNG, END],
      "bad_input",
      "Please send at most 1 files at once.",
    ],
    [
      open(api, ada),
      [
        fileHead("a.png"),
        PNG,
        "\r\n",
        field("pageId", "x".repeat(9 * MEGABYTE)),
        field("b", "y".repeat(9 * MEGABYTE)),
        END,
      ],
      "too_large",
      "A field of the form is too large.",
    ],
  ];
  for (const [call, pieces, code, message] of refusals) {
    expect((await send(call, pieces)).body).toMatchObject({ code, message });
    expect(await listIncoming(api)).toEqual([]);
  }
});

test("a form whose sender disconnected before parsing is cancelled at once", async () => {
  const gone = new IncomingMessage(new Socket());
  gone.destroy();
  const limits = { contentType: `multipart/form-data; boundary=${BOUNDARY}`, folder: "", maxFiles: 1 };
  const received = await receiveFormInWorker(gone, { ...limits, maxFileBytes: 1, maxFieldBytes: 1 });
  expect(received).toEqual({ fault: "cancelled" });
});

test("a form whose sender disconnects leaves nothing behind, and the next one is served", async () => {
  const { api, ada } = await student();
  const call = open(api, ada);
  call.on("error", () => undefined);
  call.write(fileHead("a.png"));
  for (let sent = 0; sent < 4; sent += 1) call.write(noise(MEGABYTE, sent));
  await expect.poll(() => listIncoming(api)).toHaveLength(1);
  call.destroy();
  await expect.poll(() => listIncoming(api)).toEqual([]);
  const pageId = await aPage(ada);
  const next = await send(open(api, ada), [field("pageId", pageId), fileHead("a.png"), PNG, END]);
  expect(next.status).toBe(200);
});
