import { STREAM_TYPE } from "#shared/contract/endpoint.ts";
import { Failure, failures, type FailureBody, type FailureCode } from "#shared/contract/failure.ts";
import { translateSent } from "#shared/messages/translate.ts";
import { type Call, NoAnswer, type Reply, type Transport } from "./client.ts";

interface FetchTransportOptions {
  /** Origin of the API without a trailing slash; empty for the page's own origin. */
  origin: string;
  /** Token for this call; undefined if signed out. */
  token: (call: Call) => string | undefined | Promise<string | undefined>;
  fetch?: typeof fetch;
}

/** Sends calls by `fetch`, and uploads with progress by XMLHttpRequest if available. */
export function fetchTransport({ origin, token, fetch: ask = fetch }: FetchTransportOptions): Transport {
  const carry = (call: Call, bearer: string | undefined) => {
    const headers: Record<string, string> = { accept: call.accept };
    if (bearer !== undefined) headers["authorization"] = `Bearer ${bearer}`;
    if (call.body.kind === "json") headers["content-type"] = "application/json";
    if (call.onUploadProgress && typeof XMLHttpRequest !== "undefined") return byXhr(origin + call.path, call, headers);
    return byFetch((url, init) => ask(url, init), origin + call.path, call, headers);
  };
  return async (call) => {
    const bearer = token(call);
    // If the token is available synchronously, the call is sent at once instead of after the current render.
    return carry(call, typeof bearer === "object" ? await bearer : bearer);
  };
}

async function byFetch(
  ask: (url: string, init: RequestInit) => Promise<Response>,
  url: string,
  call: Call,
  headers: Record<string, string>,
): Promise<Reply> {
  const silence = watchSilence(call);
  try {
    const body = bodyOf(call);
    const response = await ask(url, {
      method: call.endpoint.method,
      headers,
      signal: silence.signal,
      ...(body === undefined ? {} : { body }),
    });
    silence.heard();
    if (!response.ok) throw failureOf(response.status, await response.text());
    return {
      text: () => silence.guard(response.text()),
      blob: () => silence.guard(response.blob()),
      pieces: () => piecesOf(response, silence),
    };
  } catch (error) {
    silence.end();
    throw silence.explain(error);
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

async function* piecesOf(response: Response, silence: Silence): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return;
      silence.heard();
      yield decoder.decode(value, { stream: true });
    }
  } catch (error) {
    throw silence.explain(error);
  } finally {
    silence.end();
    // A consumer that stops early cancels the call; a finished one has nothing to cancel.
    await reader?.cancel().catch(() => undefined);
  }
}

type Silence = ReturnType<typeof watchSilence>;

/** Aborts a call after `silenceMs` without data, and remembers the reason. */
function watchSilence(call: Call) {
  const controller = new AbortController();
  let timedOut = false;
  const tooLong = () => {
    timedOut = true;
    controller.abort();
  };
  let timer = setTimeout(tooLong, call.silenceMs);
  const left = () => controller.abort();
  if (call.signal?.aborted) left();
  call.signal?.addEventListener("abort", left);
  const end = () => {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", left);
  };
  const explain = (error: unknown): Error => {
    if (error instanceof Failure) return error;
    if (timedOut) return new NoAnswer("timeout");
    return new NoAnswer(call.signal?.aborted ? "aborted" : "network");
  };
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(tooLong, call.silenceMs);
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
function byXhr(url: string, call: Call, headers: Record<string, string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(call.endpoint.method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const silence = watchSilence(call);
    silence.signal.addEventListener("abort", () => request.abort());
    request.upload.addEventListener("progress", (event) => {
      silence.heard();
      call.onUploadProgress?.(event.loaded, event.total);
    });
    request.addEventListener("error", () => reject(silence.explain(undefined)));
    request.addEventListener("abort", () => reject(silence.explain(undefined)));
    request.addEventListener("loadend", silence.end);
    const hasCome = () => request.readyState === XMLHttpRequest.HEADERS_RECEIVED && isGood(request);
    if (call.accept === STREAM_TYPE)
      request.addEventListener("readystatechange", () => {
        if (hasCome()) resolve(replyOf(() => piecesByXhr(request, silence)));
      });
    request.addEventListener("load", () => {
      const text = request.responseText;
      if (!isGood(request)) return reject(failureOf(request.status, text));
      return resolve(
        replyOf(async function* whole() {
          yield text;
        }),
      );
    });
    request.send(call.body.kind === "form" ? call.body.form : null);
  });
}

const isGood = ({ status }: XMLHttpRequest) => status >= 200 && status < 300;

/** The response text, chunk by chunk. */
async function* piecesByXhr(request: XMLHttpRequest, silence: Silence): AsyncGenerator<string> {
  let told = 0;
  try {
    for (;;) {
      const { responseText, readyState } = request;
      if (responseText.length > told) {
        silence.heard();
        yield responseText.slice(told);
        told = responseText.length;
      } else if (readyState === XMLHttpRequest.DONE || readyState === XMLHttpRequest.UNSENT) {
        // An interrupted response loses its status with its text.
        if (!isGood(request)) throw silence.explain(undefined);
        return;
      } else await moreOf(request);
    }
  } finally {
    silence.end();
    // A consumer that stops early cancels the call.
    request.abort();
  }
}

const moreOf = (request: XMLHttpRequest) =>
  new Promise<void>((come) => {
    const heard = () => {
      request.removeEventListener("progress", heard);
      request.removeEventListener("loadend", heard);
      come();
    };
    request.addEventListener("progress", heard);
    request.addEventListener("loadend", heard);
  });

function replyOf(pieces: () => AsyncGenerator<string>): Reply {
  const text = async () => {
    let whole = "";
    for await (const piece of pieces()) whole += piece;
    return whole;
  };
  return { text, blob: async () => new Blob([await text()]), pieces };
}

/** The failure in the response body, or the nearest one by status. */
function failureOf(status: number, text: string): Failure {
  try {
    const { code, message, reason, params, data } = JSON.parse(text) as Partial<FailureBody>;
    if (code !== undefined && code in failures && typeof message === "string") {
      const sent = { reason, params };
      return new Failure(code, { ...sent, message: translateSent(message, sent) }, undefined, data);
    }
  } catch {
    // Not from our API: a proxy's page, or a truncated response.
  }
  const near = Object.entries(failures).find(([, { status: known }]) => known === status);
  return new Failure((near?.[0] as FailureCode | undefined) ?? "broken", { message: "" });
}
