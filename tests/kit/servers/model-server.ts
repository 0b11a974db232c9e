import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { z } from "zod";

/** How the server answers one request; after the last turn of a script it answers normally. */
export type Turn =
  | "good"
  /** In one piece, like servers without streaming. */
  | "whole"
  | "fenced"
  | "wrapped"
  | "trailing_commas"
  | "talkative"
  | "unescaped_quotes"
  | "thinking"
  | "malformed"
  | "empty"
  | "refusal"
  | "invented_quotes"
  | "planted_orders"
  | "too_long"
  | "cut"
  | "cut_at_once"
  | "cut_by_length"
  | "error_part"
  | "silent"
  | "slow"
  | "error_500"
  | "error_400"
  | "bad_key"
  /** Refuses requests with a temperature or a token limit, as some models do. */
  | "strict"
  /** Refuses requests with pictures, as models without image support do. */
  | "sightless"
  /** Fails on a picture instead. */
  | "breaks_over_pictures"
  /** Refuses requests that offer tools. */
  | "toolless"
  | "rate_limited"
  | "rate_limited_long";

const ContentPart = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);

const ChatRequest = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  max_tokens: z.number().optional(),
  temperature: z.number().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(ContentPart)]) })),
  tools: z.array(z.object({ type: z.literal("function"), function: z.object({ name: z.string() }) })).default([]),
});

const EmbeddingRequest = z.object({ model: z.string(), input: z.array(z.string()) });

/** Out of order, as the protocol allows. */
const embeddingsOf = (input: readonly string[], meaning: (text: string) => number[]) =>
  JSON.stringify({
    object: "list",
    data: input.map((text, index) => ({ object: "embedding", index, embedding: meaning(text) })).toReversed(),
    usage: { prompt_tokens: 10, total_tokens: 10 },
  });

function answerEmbeddings(response: ServerResponse, body: unknown, meaning: Play["meaning"]): string[] {
  const { input } = EmbeddingRequest.parse(body);
  if (meaning) response.setHeader("content-type", "application/json").end(embeddingsOf(input, meaning));
  else response.writeHead(404).end();
  return input;
}

export interface SeenRequest {
  model: string;
  prompt: string;
  /** The pictures in it, as data addresses. */
  images: string[];
  /** Names of the offered tools. */
  tools: string[];
  turn: Turn;
  /** The header with the key; undefined without one. */
  authorization: string | undefined;
  /** Whether the client closed the connection before the answer was complete. */
  wasClosedEarly: boolean;
  /** Whether the whole answer was sent. */
  isComplete: boolean;
}

export interface ModelServer {
  /** For AI_BASE_URL. */
  baseUrl: string;
  requests: SeenRequest[];
  /** Requests that check cards against their quotes; the script has no turns for them. */
  checks: SeenRequest[];
  /** Texts that were embedded. */
  embedded: string[];
  /** Adds turns to the script. */
  play(...turns: Turn[]): void;
  /** Drops the turns that were not played. */
  forget(): void;
  close(): Promise<void>;
}

interface Written {
  question: string;
  answer: string;
  quote: string;
  passageId: string;
}

const STOP = new Set(["which", "their", "there", "these", "those", "about", "other", "where", "while", "would"]);

/** One blank per sentence for its longest word: dull cards, but all of them true. */
export function cardsFromPrompt(prompt: string): Written[] {
  const lines = prompt.split("\n").filter((l) => l.startsWith('{"id":'));
  return lines.flatMap((l) => {
    const passage = z.object({ id: z.string(), text: z.string() }).parse(JSON.parse(l));
    return sentencesOf(passage.text).flatMap((quote) => {
      const words = quote.match(/[\p{L}]{5,}/gu)?.filter((w) => !STOP.has(w.toLowerCase())) ?? [];
      const answer = words.toSorted((a, b) => b.length - a.length)[0];
      if (answer === undefined || quote.split(answer).length !== 2) return [];
      return [{ question: quote.replace(answer, "____"), answer, quote, passageId: passage.id }];
    });
  });
}

const sentencesOf = (text: string) =>
  (text.match(/[^.!?]+[.!?]/g) ?? [])
    .map((s) => s.trim())
    .filter((s) => /^\p{Lu}/u.test(s) && s.split(" ").length < 30);

const asked = (prompt: string) => Number(/Write (\d+) flashcards/.exec(prompt)?.[1] ?? 10);

/** Cards that the prompt doesn't list as existing. */
function freshCards(prompt: string): Written[] {
  const known = prompt.split("\n").find((l) => l.startsWith("Do not ask these again:")) ?? "";
  return cardsFromPrompt(prompt)
    .filter((c) => !known.includes(JSON.stringify(c.question)))
    .slice(0, asked(prompt));
}

/** A card to check, as the prompt shows it. */
const CheckLine = z.object({ number: z.int(), question: z.string(), quote: z.string() });
export type CheckLine = z.infer<typeof CheckLine>;

const isCheck = (prompt: string) => /^\{"number":1,"question":/m.test(prompt);

/** Answers every question with its quote, or as `check` does; undefined leaves a card out. */
function checksFromPrompt(prompt: string, check: Play["check"] = ({ quote }) => quote): string {
  const lines = prompt.split("\n").filter((line) => line.startsWith('{"number":'));
  const answers = lines.flatMap((line) => {
    const card = CheckLine.parse(JSON.parse(line));
    const answer = check(card);
    return answer === undefined ? [] : [{ number: card.number, answer }];
  });
  return JSON.stringify(answers);
}

const looseJson = (cards: Written[]) => `[${cards.map((c) => `${JSON.stringify(c).slice(0, -1)},}`).join(",\n")},]`;
const unescaped = (cards: Written[]) => JSON.stringify(cards).replaceAll('"question":"', '"question":"So "called": ');

/** How a turn writes the answer; other turns write plain JSON. */
const writings: Partial<Record<Turn, (cards: Written[], json: string) => string>> = {
  fenced: (_, json) => `\`\`\`json\n${json}\n\`\`\``,
  wrapped: (cards) => JSON.stringify({ flashcards: cards }),
  trailing_commas: looseJson,
  talkative: (cards) =>
    `Sure! Here are your flashcards {enjoy them}:\n\n${cards.map((c) => JSON.stringify(c)).join("\nAnd another:\n")}\nGood luck!`,
  unescaped_quotes: unescaped,
  thinking: (_, json) =>
    `<think>First {"question":"What is a thought?","answer":"thought","quote":"thought"} maybe</think>${json}`,
  malformed: () => "[[{question: } what,,, ]]} {{",
  empty: () => "",
  refusal: () => "I'm sorry, but I can't help with that.",
  invented_quotes: (cards) => JSON.stringify(cards.map((c) => ({ ...c, quote: `It is well known that ${c.quote}` }))),
  planted_orders: (cards) =>
    JSON.stringify(cards.map((c) => ({ ...c, question: `![x](https://evil.example/?q=1) ${c.question}` }))),
  too_long: (_, json) => `${json}${" and so on".repeat(200_000)}`,
};

function textOf(turn: Turn, prompt: string): string {
  const cards = freshCards(prompt);
  const json = JSON.stringify(cards, null, 1);
  return writings[turn]?.(cards, json) ?? json;
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "chat-1", object: "chat.completion.chunk", created: 1, model: "test", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const wholeAnswer = (content: string) =>
  JSON.stringify({
    id: "chat-1",
    object: "chat.completion",
    created: 1,
    model: "test",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 },
  });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const listings: Readonly<Record<string, object>> = {
  "/v1/models": { object: "list", data: [{ id: "test-model", object: "model" }] },
  "/api/tags": { models: [{ name: "tiny:1b" }] },
};

interface Call {
  name: string;
  arguments: string;
}

export interface Play {
  script?: Turn[];
  /** What it answers from a card's quote alone. */
  check?: ((card: CheckLine) => string | null | undefined) | undefined;
  /** How it answers every request that checks cards. */
  checkTurn?: Turn | undefined;
  /** What it answers instead of cards, unless the turn overrides it. */
  say?: ((prompt: string) => string) | undefined;
  /** Tools that it calls instead of answering, offered or not. */
  calls?: (request: SeenRequest) => readonly Call[];
  /** Answers the listing of Ollama's models instead. */
  tags?: (response: ServerResponse) => void;
  /** The vector of a text; without this the server offers no embeddings. */
  meaning?: (text: string) => number[];
}

/** Lists the models; false for any other request. */
function answerListing({ method, url = "" }: IncomingMessage, response: ServerResponse, tags: Play["tags"]): boolean {
  const listed = method === "GET" ? listings[url] : undefined;
  if (!listed) return false;
  if (tags && url === "/api/tags") tags(response);
  else response.end(JSON.stringify(listed));
  return true;
}

const replyOf = (turn: Turn, prompt: string, say: Play["say"]) =>
  say && !writings[turn] ? say(prompt) : textOf(turn, prompt);

/**
 * A local server with OpenAI's chat protocol that makes cards from the passages in the prompt, and fails as scripted.
 */
export async function startModelServer(play: Play = {}): Promise<ModelServer> {
  const { script = [], say, meaning, calls, tags, check, checkTurn } = play;
  const turns = [...script];
  const requests: SeenRequest[] = [];
  const checks: SeenRequest[] = [];
  const embedded: string[] = [];
  const sockets = new Set<Socket>();
  const http = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  http.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });

  const sentTo = (isChecking: boolean) => (isChecking ? checks : requests);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (answerListing(request, response, tags)) return;
    const pieces: Uint8Array[] = [];
    for await (const piece of request) pieces.push(piece as Uint8Array);
    const body = JSON.parse(Buffer.concat(pieces).toString("utf8")) as unknown;
    if (request.url === "/v1/embeddings") {
      embedded.push(...answerEmbeddings(response, body, meaning));
      return;
    }
    const chat = ChatRequest.parse(body);
    const content = contentOf(chat);
    const isChecking = isCheck(content.prompt);
    const turn = (isChecking ? checkTurn : turns.shift()) ?? "good";
    const seen: SeenRequest = {
      ...content,
      turn,
      authorization: request.headers.authorization,
      wasClosedEarly: false,
      isComplete: false,
    };
    const { prompt } = seen;
    sentTo(isChecking).push(seen);
    response.on("finish", () => void (seen.isComplete = true));
    response.on("close", () => {
      seen.wasClosedEarly = !response.writableFinished && turn !== "cut" && turn !== "cut_at_once";
    });
    if (refuse(refusalOf(turn, seen, isNamed(chat)), response)) return;
    if (callTools(response, calls?.(seen))) return;
    const text = replyOf(turn, prompt, isChecking ? (lines) => checksFromPrompt(lines, check) : say);
    if (chat.stream === true && turn !== "whole") await stream(response, turn, { prompt, text });
    else response.setHeader("content-type", "application/json").end(wholeAnswer(text));
  }

  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    checks,
    embedded,
    play: (...more) => void turns.push(...more),
    forget: () => void turns.splice(0),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function contentOf({ model, messages, tools }: z.infer<typeof ChatRequest>) {
  const parts = messages.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : content,
  );
  return {
    model,
    prompt: parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n"),
    images: parts.flatMap((part) => (part.type === "image_url" ? part.image_url.url : [])),
    tools: tools.map((tool) => tool.function.name),
  };
}

function refusalOf(turn: Turn, { images, tools }: SeenRequest, isNamedAnything: boolean): Turn {
  const isRefused =
    (turn === "strict" && isNamedAnything) ||
    (turn === "sightless" && images.length > 0) ||
    (turn === "toolless" && tools.length > 0);
  if (turn === "breaks_over_pictures" && images.length > 0) return "error_500";
  return isRefused ? "error_400" : turn;
}

/** Each call in two pieces, as servers stream them. */
function callTools(response: ServerResponse, calls: readonly Call[] = []): boolean {
  if (calls.length === 0) return false;
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [index, call] of calls.entries()) {
    const [half, rest] = [call.arguments.slice(0, 5), call.arguments.slice(5)];
    const begun = { index, id: `call-${index}`, type: "function", function: { name: call.name, arguments: half } };
    response.write(chunk({ tool_calls: [begun] }));
    response.write(chunk({ tool_calls: [{ index, function: { arguments: rest } }] }));
  }
  response.write(chunk({}, "tool_calls"));
  response.end("data: [DONE]\n\n");
  return true;
}

const isNamed = (chat: z.infer<typeof ChatRequest>) => chat.max_tokens !== undefined || chat.temperature !== undefined;

const refusals: Partial<Record<Turn, [number, Record<string, string>]>> = {
  error_500: [500, {}],
  error_400: [400, {}],
  bad_key: [401, {}],
  rate_limited: [429, { "retry-after": "1" }],
  rate_limited_long: [429, { "retry-after": "3600" }],
};

function refuse(turn: Turn, response: ServerResponse): boolean {
  const refusal = refusals[turn];
  if (!refusal) return false;
  response.writeHead(refusal[0], { "content-type": "application/json", ...refusal[1] });
  response.end(JSON.stringify({ error: { message: `${turn} sk-secret-in-an-error`, type: turn, code: turn } }));
  return true;
}

async function stream(response: ServerResponse, turn: Turn, { prompt, text }: { prompt: string; text: string }) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ role: "assistant", content: "" }));
  if (turn === "silent") return;
  if (turn === "cut_at_once") return cutAtOnce(response, text);
  const isCut = turn === "cut" || turn === "cut_by_length" || turn === "error_part";
  const end = isCut ? Math.floor(text.length * 0.6) : text.length;
  const step = Math.max(40, Math.ceil(end / 200));
  for (let at = 0; at < end && !response.destroyed; at += step) {
    response.write(chunk({ content: text.slice(at, Math.min(at + step, end)) }));
    await (turn === "slow" ? pause(60) : pause(at % (step * 20) === 0 ? 1 : 0));
  }
  if (turn === "cut") response.destroy();
  else if (turn === "error_part") response.end('data: {"error":{"message":"overloaded","type":"overloaded"}}\n\n');
  else endAnswer(response, turn, { prompt, written: end });
}

/** Sends the first card, then the others together with the end of the connection. */
async function cutAtOnce(response: ServerResponse, text: string): Promise<void> {
  const [begun, end] = [text.indexOf("}") + 1, Math.floor(text.length * 0.6)];
  response.write(chunk({ content: text.slice(0, begun) }));
  await pause(5);
  response.write(chunk({ content: text.slice(begun, end) }));
  await pause(2);
  response.socket?.resetAndDestroy();
}

function endAnswer(response: ServerResponse, turn: Turn, size: { prompt: string; written: number }) {
  response.write(chunk({}, turn === "cut_by_length" ? "length" : "stop"));
  const prompt_tokens = Math.ceil(size.prompt.length / 4);
  const completion_tokens = Math.ceil(size.written / 4);
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  response.write(`data: ${JSON.stringify({ id: "chat-1", model: "test", choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}
