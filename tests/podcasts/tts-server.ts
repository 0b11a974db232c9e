import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** How the server handles a request; after the end of the script it answers normally. */
export type TtsTurn =
  | "good"
  | "streamed"
  | "streamed_zero"
  | "pcm_only"
  | "pcm_16k"
  | "busy"
  | "busy_for_long"
  /** Names the time instead of the seconds. */
  | "busy_until"
  | "cut_off"
  | "json"
  | "empty"
  | "silent"
  | "wrong_rate"
  | "mp3"
  | "broken"
  | "bad_key"
  | "bad_voice"
  | "hold";

interface TtsRequest {
  model: string;
  input: string;
  voice: string;
  response_format: string;
  stream: boolean;
}

const RATE = 24_000;
const MS_PER_CHAR = 60;
const STREAMED_LENGTH = 0xff_ff_ff_ff;
/** The share of a cut-off sound that is sent: enough to be mistaken for a fast speaker. */
const SENT_SHARE = 0.7;

/** A cached tone, as long as the longest line so far, because an episode has millions of samples. */
let toneSamples = new Int16Array(0);

function tone(input: string, isSilent: boolean): Buffer {
  const samples = Math.round(((input.length * MS_PER_CHAR) / 1000) * RATE);
  if (isSilent) return Buffer.alloc(samples * 2);
  if (toneSamples.length < samples)
    toneSamples = Int16Array.from(
      { length: samples },
      (_, at) => Math.sin(at / 12) * 6000 * (at % 4000 < 3200 ? 1 : 0.2),
    );
  return Buffer.from(toneSamples.buffer, 0, samples * 2);
}

function wav(pcm: Buffer, { rate = RATE, length = pcm.length } = {}): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(STREAMED_LENGTH, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(length, 40);
  return Buffer.concat([head, pcm]);
}

type Answer = [status: number, type: string, body: Buffer | string, headers?: Record<string, string>];

/** Answers that do not depend on the text. */
const refusals: Partial<Record<TtsTurn, Answer>> = {
  busy: [429, "application/json", "{}", { "retry-after": "0" }],
  busy_for_long: [429, "application/json", "{}", { "retry-after": "3600" }],
  busy_until: [429, "application/json", "{}", { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() }],
  json: [200, "application/json", '{"error":"out of memory"}'],
  empty: [200, "audio/wav", Buffer.alloc(0)],
  mp3: [200, "audio/mpeg", Buffer.alloc(4000, 0xff)],
  broken: [500, "text/plain", "oh"],
  bad_key: [401, "application/json", "{}"],
  bad_voice: [400, "application/json", '{"detail":"unknown voice"}'],
};

function answerOf(turn: TtsTurn, { input, response_format: format }: TtsRequest): Answer {
  const refusal = refusals[turn];
  if (refusal) return refusal;
  const pcm = tone(input, turn === "silent");
  if (turn === "streamed") return [200, "audio/wav", wav(pcm, { length: STREAMED_LENGTH })];
  if (turn === "streamed_zero") return [200, "audio/wav", wav(pcm, { length: 0 })];
  if (turn === "cut_off") return [200, "audio/wav", wav(pcm).subarray(0, 44 + Math.floor(pcm.length * SENT_SHARE))];
  if (turn === "wrong_rate") return [200, "audio/wav", wav(pcm, { rate: 96_000 })];
  // Two thirds of the samples, because it has two thirds of the rate.
  if (turn === "pcm_16k")
    return [200, "audio/L16; rate=16000; channels=1", pcm.subarray(0, 2 * Math.floor(pcm.length / 3))];
  if (format === "pcm") return [200, "audio/pcm", pcm];
  return turn === "pcm_only" ? [200, "application/octet-stream", pcm] : [200, "audio/wav", wav(pcm)];
}

export interface TtsServer {
  /** The value for TTS_BASE_URL. */
  baseUrl: string;
  requests: TtsRequest[];
  /** The lines of requests that are delayed. */
  listDelayed(): string[];
  /** Sets how the next requests are handled. */
  play(...turns: TtsTurn[]): void;
  /** Sets how each line is handled, instead of one request after the other. */
  playByLine(choose: (line: string) => TtsTurn): void;
  /** Answers the requests that are delayed. */
  release(): void;
  close(): Promise<void>;
}

/** A speech server that speaks OpenAI's protocol, with the ways in which such servers fail. */
export async function startTtsServer(...script: TtsTurn[]): Promise<TtsServer> {
  let turns = [...script];
  let choose = (_line: string): TtsTurn => turns.shift() ?? "good";
  const requests: TtsRequest[] = [];
  const delayed = new Map<() => void, string>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(request)) as TtsRequest;
    requests.push(body);
    const turn = choose(body.input);
    const send = (sent: TtsTurn) => {
      const [status, type, bytes, headers = {}] = answerOf(sent, body);
      response.writeHead(status, { "content-type": type, ...headers }).end(bytes);
    };
    if (turn === "hold") delayed.set(() => send("good"), body.input);
    else send(turn);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    listDelayed: () => [...delayed.values()],
    play(...next) {
      turns = next;
    },
    playByLine(next) {
      choose = next;
    },
    release() {
      for (const send of delayed.keys()) send();
      delayed.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
