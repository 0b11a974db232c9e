import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { ServerEvent } from "#shared/website/schema.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { type Bench, median, type Row } from "../row.ts";

const TOKENS = 400;
const TOKEN_MS = 10;

/** How long a word takes from the model server to the student, compared with reading that server directly. */
export const bench: Bench = {
  name: "Words of the website agent",
  async run(): Promise<Row[]> {
    const model = await startClockModel();
    const server = await startServerProcess({
      DEFAULT_PLAN: "PLUS",
      AI_BASE_URL: `${model.origin}/v1`,
      AI_MODEL: "clock",
    });
    try {
      const direct = await readDirectly(model.origin);
      const sent = await readThroughSocket(server.origin);
      return [
        {
          what: "a word through the socket, median",
          value: median(sent),
          reference: median(direct),
          unit: "ms",
          goal: "",
        },
        {
          what: "a word through the socket, 99th percentile",
          value: percentile(sent, 0.99),
          reference: percentile(direct, 0.99),
          unit: "ms",
          goal: "at most 5 more than the reference",
        },
      ];
    } finally {
      await server.dispose();
      model.close();
    }
  },
};

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;

/** Streams words; each word is the time at which it is written. */
async function writeTimes(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < TOKENS && !response.destroyed; at += 1) {
    const choice = { index: 0, delta: { content: `${performance.now().toFixed(2)} ` }, finish_reason: null };
    response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
    await pause(TOKEN_MS);
  }
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`);
  response.end("data: [DONE]\n\n");
}

/** A model server whose words are the times at which it writes them. */
async function startClockModel() {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === "GET") response.end(JSON.stringify({ object: "list", data: [{ id: "clock" }] }));
    else request.once("end", () => void writeTimes(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** The ages of the times in a text. */
const agesOf = (text: string): number[] => {
  const now = performance.now();
  return (text.match(/\d+\.\d\d/g) ?? []).map((written) => now - Number(written));
};

async function readDirectly(origin: string): Promise<number[]> {
  const response = await fetch(`${origin}/v1/chat/completions`, { method: "POST", body: "{}" });
  const ages: number[] = [];
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) ages.push(...agesOf(decoder.decode(piece)));
  return ages;
}

async function readThroughSocket(origin: string): Promise<number[]> {
  const account = { name: "Bench", email: "bench@example.org", password: "a long enough passphrase" };
  const { token } = await createClient(v1, fetchTransport({ origin, token: () => undefined })).auth.register(account);
  const { website } = createClient(v1, fetchTransport({ origin, token: () => token }));
  const { _id: projectId } = await website.createProject({ name: "Words" });
  const { _id: threadId } = await website.createWebsiteThread({ id: projectId });
  const query = new URLSearchParams({ projectId, threadId }).toString();
  const address = `${origin.replace("http", "ws")}/v1/website/ws?${query}`;
  const socket = new WebSocket(address, ["lamplight.v1", `bearer.${token}`]);
  const ages: number[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data: Buffer) => {
      const event = JSON.parse(data.toString()) as ServerEvent;
      if (event.type === "connection-established")
        socket.send(JSON.stringify({ type: "user_message", projectId, threadId, message: "Tell me the time" }));
      if (event.type === "assistant_message_chunk") ages.push(...agesOf(event.chunk));
      if (event.type === "message_processing_complete") resolve();
    });
  });
  socket.close();
  return ages;
}
