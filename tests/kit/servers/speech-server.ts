import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server answers one request; after the last turn of a script it answers normally. */
export type SpeechTurn =
  | "good"
  | "hold"
  | "silence"
  | "no_times"
  | "bad_key"
  | "too_large"
  | "busy"
  | "broken"
  | "not_json";

export interface SpeechServer {
  /** For STT_BASE_URL. */
  baseUrl: string;
  /** The fields of every request; a file as its name and size. */
  requests: Record<string, string>[];
  play(...turns: SpeechTurn[]): void;
  /** Releases delayed requests. */
  release(): void;
  close(): Promise<void>;
}

const words = ["Photosynthesis makes sugar from light.", "Chlorophyll absorbs the light."];
const good = {
  task: "transcribe",
  language: "english",
  duration: 10,
  text: words.join(" "),
  segments: words.map((text, i) => ({ id: i, start: i * 4.5, end: i * 4.5 + 4, text: ` ${text}` })),
};

const answers: Record<Exclude<SpeechTurn, "good" | "hold">, [number, string]> = {
  silence: [200, JSON.stringify({ ...good, text: "", segments: [] })],
  no_times: [200, JSON.stringify({ text: good.text })],
  bad_key: [401, "{}"],
  too_large: [413, "{}"],
  busy: [429, "{}"],
  broken: [500, "oh"],
  not_json: [200, "<html>"],
};

async function fieldsOf(request: IncomingMessage): Promise<Record<string, string>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const type = request.headers["content-type"] ?? "";
  const form = await new Response(new Uint8Array(Buffer.concat(pieces)), {
    headers: { "content-type": type },
  }).formData();
  const fields = [...form].map(([key, value]) => [
    key,
    typeof value === "string" ? value : `${value.name} ${value.size}`,
  ]);
  const key = request.headers.authorization;
  return { ...(Object.fromEntries(fields) as Record<string, string>), ...(key ? { key } : {}) };
}

/** A speech server with OpenAI's protocol that can fail like real ones. */
export async function startSpeechServer(...script: SpeechTurn[]): Promise<SpeechServer> {
  const turns = [...script];
  const requests: Record<string, string>[] = [];
  const pending: ServerResponse[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(await fieldsOf(request));
    const turn = turns.shift() ?? "good";
    if (turn === "hold") {
      pending.push(response);
      return;
    }
    const [status, body] = turn === "good" ? [200, JSON.stringify(good)] : answers[turn];
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
  const server = createServer((request, response) => {
    const isKnown = request.method === "POST" && request.url === "/v1/audio/transcriptions";
    if (isKnown) void answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    play: (...more) => void turns.push(...more),
    release() {
      for (const response of pending.splice(0))
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(good));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
