import { STREAM_TYPE } from "#shared/contract/endpoint.ts";
import { Failure, failures, type FailureBody, type FailureCode } from "#shared/contract/failure.ts";
import { translateSent } from "#shared/messages/translate.ts";
import { type Call, NoResponseError, type TransportResponse, type Transport } from "./client.ts";

interface FetchTransportOptions {
  /** Origin of the API without a trailing slash; empty for the page's own origin. */
  origin: string;
  /** Token for this call; undefined if signed out. */
  token: (call: Call) => string | undefined | Promise<string | undefined>;
  fetch?: typeof fetch;
  /** Called with the server's time of each response, epoch ms. */
  onServerTime?: (serverTime: number) => void;
}

/** A response that took longer may have waited for a laptop to wake up, so its time is not used. */
const MAX_RESPONSE_MS = 30_000;

/** A response that the browser may reuse, such as a thumbnail, has the time at which it was first sent. */
const mayBeReused = (response: Response) => response.headers.get("cache-control")?.includes("max-age") ?? false;

/** Sends calls with `fetch`, and uploads that report progress with XMLHttpRequest if available. */
export function fetchTransport(options: FetchTransportOptions): Transport {
  const { origin, token, fetch: fetchImpl = fetch, onServerTime } = options;
  const fetchTimed = async (url: string, init: RequestInit) => {
    const sentAt = Date.now();
    const response = await fetchImpl(url, init);
    const serverTime = Date.parse(response.headers.get("date") ?? "");
    const isCurrent = !mayBeReused(response) && Date.now() - sentAt < MAX_RESPONSE_MS;
    if (serverTime > 0 && isCurrent) onServerTime?.(serverTime);
    return response;
  };
  const sendCall = (call: Call, bearer: string | undefined) => {
    const headers: Record<string, string> = { accept: call.accept };
    if (bearer !== undefined) headers["authorization"] = `Bearer ${bearer}`;
    if (call.body.kind === "json") headers["content-type"] = "application/json";
    if (call.onUploadProgress && typeof XMLHttpRequest !== "undefined")
      return sendByXhr(origin + call.path, call, headers);
    return sendByFetch(fetchTimed, origin + call.path, call, headers);
  };
  return async (call) => {
    const bearer = token(call);
    // If the token is available synchronously, the call is sent at once instead of after the current render.
    return sendCall(call, typeof bearer === "object" ? await bearer : bearer);
  };
}

async function sendByFetch(
  fetchImpl: (url: string, init: RequestInit) => Promise<Response>,
  url: string,
  call: Call,
  headers: Record<string, string>,
): Promise<TransportResponse> {
  const idleTimer = startIdleTimer(call);
  try {
    const body = bodyOf(call);
    const response = await fetchImpl(url, {
      method: call.endpoint.method,
      headers,
      signal: idleTimer.signal,
      ...(body === undefined ? {} : { body }),
    });
    idleTimer.reset();
    if (!response.ok) throw toFailure(response.status, await response.text());
    return {
      text: () => idleTimer.guard(response.text()),
      blob: () => idleTimer.guard(response.blob()),
      pieces: () => piecesOf(response, idleTimer),
    };
  } catch (error) {
    idleTimer.end();
    throw idleTimer.explain(error);
  }
}

function bodyOf(call: Call): string | FormData | undefined {
  switch (call.body.kind) {
    case "none":
      return undefined;
    case "json":
      return call.body.text;
    case "form":
      return call.body.form;
    default:
      return call.body satisfies never;
  }
}

async function* piecesOf(response: Response, idleTimer: IdleTimer): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return;
      idleTimer.reset();
      yield decoder.decode(value, { stream: true });
    }
  } catch (error) {
    throw idleTimer.explain(error);
  } finally {
    idleTimer.end();
    // A consumer that stops early cancels the call; after the end there is nothing to cancel.
    await reader?.cancel().catch(() => undefined);
  }
}

type IdleTimer = ReturnType<typeof startIdleTimer>;

/** Aborts a call after `idleTimeoutMs` without data, and records the reason. */
function startIdleTimer(call: Call) {
  const controller = new AbortController();
  let timedOut = false;
  const onTimeout = () => {
    timedOut = true;
    controller.abort();
  };
  let timer = setTimeout(onTimeout, call.idleTimeoutMs);
  const onCallerAbort = () => controller.abort();
  if (call.signal?.aborted) onCallerAbort();
  call.signal?.addEventListener("abort", onCallerAbort);
  const end = () => {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", onCallerAbort);
  };
  const explain = (error: unknown): Error => {
    if (error instanceof Failure) return error;
    if (timedOut) return new NoResponseError("timeout");
    return new NoResponseError(call.signal?.aborted ? "aborted" : "network");
  };
  return {
    signal: controller.signal,
    reset() {
      clearTimeout(timer);
      timer = setTimeout(onTimeout, call.idleTimeoutMs);
    },
    end,
    explain,
    async guard<T>(promise: Promise<T>): Promise<T> {
      try {
        return await promise;
      } catch (error) {
        throw explain(error);
      } finally {
        end();
      }
    },
  };
}

/** `fetch` cannot report upload progress; XMLHttpRequest can. */
function sendByXhr(url: string, call: Call, headers: Record<string, string>): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(call.endpoint.method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const idleTimer = startIdleTimer(call);
    idleTimer.signal.addEventListener("abort", () => request.abort());
    request.upload.addEventListener("progress", (event) => {
      idleTimer.reset();
      call.onUploadProgress?.(event.loaded, event.total);
    });
    request.addEventListener("error", () => reject(idleTimer.explain(undefined)));
    request.addEventListener("abort", () => reject(idleTimer.explain(undefined)));
    request.addEventListener("loadend", idleTimer.end);
    const hasResponse = () => request.readyState === XMLHttpRequest.HEADERS_RECEIVED && isSuccess(request);
    if (call.accept === STREAM_TYPE)
      request.addEventListener("readystatechange", () => {
        if (hasResponse()) resolve(toResponse(() => piecesByXhr(request, idleTimer)));
      });
    request.addEventListener("load", () => {
      const text = request.responseText;
      if (!isSuccess(request)) return reject(toFailure(request.status, text));
      return resolve(
        toResponse(async function* whole() {
          yield text;
        }),
      );
    });
    request.send(call.body.kind === "form" ? call.body.form : null);
  });
}

const isSuccess = ({ status }: XMLHttpRequest) => status >= 200 && status < 300;

/** The response text, chunk by chunk. */
async function* piecesByXhr(request: XMLHttpRequest, idleTimer: IdleTimer): AsyncGenerator<string> {
  let readChars = 0;
  try {
    for (;;) {
      const { responseText, readyState } = request;
      if (responseText.length > readChars) {
        idleTimer.reset();
        yield responseText.slice(readChars);
        readChars = responseText.length;
      } else if (readyState === XMLHttpRequest.DONE || readyState === XMLHttpRequest.UNSENT) {
        // An interrupted response loses its status with its text.
        if (!isSuccess(request)) throw idleTimer.explain(undefined);
        return;
      } else await waitForMore(request);
    }
  } finally {
    idleTimer.end();
    // A consumer that stops early cancels the call.
    request.abort();
  }
}

const waitForMore = (request: XMLHttpRequest) =>
  new Promise<void>((resolve) => {
    const restart = () => {
      request.removeEventListener("progress", restart);
      request.removeEventListener("loadend", restart);
      resolve();
    };
    request.addEventListener("progress", restart);
    request.addEventListener("loadend", restart);
  });

function toResponse(pieces: () => AsyncGenerator<string>): TransportResponse {
  const text = async () => {
    let whole = "";
    for await (const piece of pieces()) whole += piece;
    return whole;
  };
  return { text, blob: async () => new Blob([await text()]), pieces };
}

/** The failure in the response body, or else a failure with the same status. */
function toFailure(status: number, text: string): Failure {
  try {
    const { code, message, reason, params, data } = JSON.parse(text) as Partial<FailureBody>;
    if (code !== undefined && code in failures && typeof message === "string") {
      const sent = { reason, params };
      return new Failure(code, { ...sent, message: translateSent(message, sent) }, undefined, data);
    }
  } catch {
    // The response is not from our API, such as a proxy's page, or it is truncated.
  }
  const sameStatus = Object.entries(failures).find(([, { status: known }]) => known === status);
  return new Failure((sameStatus?.[0] as FailureCode | undefined) ?? "broken", { message: "" });
}
