import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { parseRetryAfterMs } from "#shared/retry-after.ts";
import { ModelSilentError, ServerRefusedError, ServerUnreachableError } from "./server-failures.ts";

export interface ModelServer {
  baseUrl: string;
  apiKey: string | undefined;
  /** The model's name on the server. */
  modelName: string;
  /** Maximum time without data, before the first byte and between any two. */
  idleTimeoutMs: number;
}

const KEEP_ALIVE_MS = 15_000;
const plainAgent = new Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS });
const tlsAgent = new TlsAgent({ keepAlive: true, timeout: KEEP_ALIVE_MS });

function readRetryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  return exact >= 0 ? exact : parseRetryAfterMs(headers["retry-after"], Date.now());
}

/** A server's response once it has started; `chunks` throws `ModelSilentError` if it stalls. */
export interface ServerAnswer {
  isJson: boolean;
  chunks: AsyncIterable<string>;
  /** Stops reading and releases the connection. */
  close(): void;
}

/**
 * Sends one request to a model server. Uses `node:http` rather than `fetch`, because an answer arrives in thousands of
 * small chunks, and a web stream spends more time on each than all our own code.
 */
export async function callServer(
  server: ModelServer,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const url = new URL(`${server.baseUrl}${path}`);
  const isTls = url.protocol === "https:";
  const requestBody = Buffer.from(JSON.stringify(body));
  const headers = {
    "content-type": "application/json",
    "content-length": requestBody.length,
    accept: "text/event-stream, application/json",
    ...(server.apiKey === undefined ? {} : { authorization: `Bearer ${server.apiKey}` }),
  };
  const options = { method: "POST", headers, signal, agent: isTls ? tlsAgent : plainAgent };
  const call = isTls ? tlsRequest(url, options) : plainRequest(url, options);
  let received: IncomingMessage | undefined;
  const timer = setTimeout(
    () => (received ?? call).destroy(new ModelSilentError("the model server sent no data in time")),
    server.idleTimeoutMs,
  );
  const close = () => {
    clearTimeout(timer);
    // A connection whose response is complete can be reused.
    if (received?.complete) received.resume();
    else call.destroy();
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      call.once("response", resolve).on("error", reject).end(requestBody);
    });
    received = response;
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw new ServerRefusedError(status, readRetryAfterMs(response.headers));
    response.setEncoding("utf8");
    const isJson = response.headers["content-type"]?.includes("json") === true;
    return { isJson, chunks: readChunks(response, timer), close };
  } catch (error) {
    close();
    signal.throwIfAborted();
    if (error instanceof ServerRefusedError || error instanceof ModelSilentError) throw error;
    throw new ServerUnreachableError();
  }
}

/** Characters that may wait for a slow reader before the connection is paused. */
const MAX_WAITING_CHARS = 1024 * 1024;

/**
 * Takes each chunk as it arrives, because a reset connection discards what a stream still buffers, which may be several
 * complete objects of the answer.
 */
async function* readChunks(response: IncomingMessage, timer: NodeJS.Timeout): AsyncGenerator<string> {
  let waiting = "";
  let failure: Error | undefined;
  let isClosed = false;
  let notify: (() => void) | undefined;
  response.on("data", (chunk: string) => {
    timer.refresh();
    waiting += chunk;
    if (waiting.length > MAX_WAITING_CHARS) response.pause();
    notify?.();
  });
  response.once("error", (error) => {
    failure = error;
    notify?.();
  });
  response.once("close", () => {
    isClosed = true;
    notify?.();
  });
  response.once("end", () => {
    isClosed = true;
    notify?.();
  });
  for (;;) {
    while (waiting !== "") {
      const taken = waiting;
      waiting = "";
      yield taken;
    }
    if (failure) throw failure;
    if (isClosed) return;
    const more = new Promise<void>((resolve) => (notify = resolve));
    response.resume();
    await more;
  }
}
