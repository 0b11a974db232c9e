import { useCallback, useEffect, useRef, useState } from "react";
import type { CitationResult, CitationTask } from "./citation-worker.ts";
import type { Reference } from "#shared/marketing/references.ts";
import type { OwnStyle } from "./own-style.ts";
import { toCslItem } from "./csl-item.ts";
import { toPlainEntry } from "./list/plain-entry.ts";
import { localeOf, styles, type StyleId } from "./styles.ts";
import { toolLanguage } from "../tools/words.ts";

export interface Formatted {
  /** In the state "failed", the entries have no style. */
  state: "ready" | "loading" | "failed";
  list: CitationResult["list"];
  /** Loads the style again after a failure. */
  retry: () => void;
}

interface Result {
  state: Formatted["state"];
  /** Undefined since the style could not be loaded. */
  list: CitationResult["list"] | undefined;
}

const absolute = (path: string) => new URL(path, location.href).href;

/** Whether the visitor has started to use the tool. A style is loaded only then. */
function useIsUsed(): boolean {
  const [isUsed, setUsed] = useState(false);
  useEffect(() => {
    const root = document.getElementById("tool");
    const onFocus = () => setUsed(true);
    root?.addEventListener("focusin", onFocus, { once: true });
    return () => root?.removeEventListener("focusin", onFocus);
  }, []);
  return isUsed;
}

/** Formats the references in a style. This happens in a worker, because large styles take seconds to load. */
export function useCitations(references: readonly Reference[], style: StyleId | OwnStyle): Formatted {
  const [{ state, list }, setResult] = useState<Result>({ state: "ready", list: [] });
  const worker = useRef<Worker>(undefined);
  const last = useRef(0);
  const isUsed = useIsUsed();
  useEffect(() => () => worker.current?.terminate(), []);
  const format = useCallback(() => {
    last.current += 1;
    const id = last.current;
    const isEmpty = references.length === 0;
    setResult((before) => (isEmpty ? { state: "ready", list: [] } : { state: "loading", list: before.list }));
    // If the tool is in use, the style is loaded even without references, so that the first reference is formatted at
    // once.
    if (isEmpty && !isUsed) return;
    worker.current ??= startWorker({
      onResult: ({ id: resultId, failed, list: formatted }) => {
        if (resultId !== last.current) return;
        setResult(failed ? { state: "failed", list: undefined } : { state: "ready", list: formatted });
      },
      onError: () => {
        // The next attempt starts another worker.
        worker.current = undefined;
        setResult({ state: "failed", list: undefined });
      },
    });
    const task = createTask(id, references, style);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.current.postMessage(task);
  }, [references, style, isUsed]);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the list follows the worker's results
    format();
  }, [format]);
  useEffect(() => {
    if (state !== "failed") return undefined;
    window.addEventListener("online", format);
    return () => window.removeEventListener("online", format);
  }, [state, format]);
  return { state, list: list ?? references.map(toPlainEntry), retry: format };
}

interface WorkerListeners {
  onResult: (result: CitationResult) => void;
  onError: () => void;
}

function startWorker({ onResult, onError }: WorkerListeners): Worker {
  const worker = new Worker(new URL("./citation-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<CitationResult>) => onResult(data));
  worker.addEventListener("error", () => {
    worker.terminate();
    onError();
  });
  return worker;
}

function createTask(id: number, references: readonly Reference[], style: StyleId | OwnStyle): CitationTask {
  const bundled = styles.find(({ id: styleId }) => styleId === style) ?? styles[0];
  const own = typeof style === "string" ? undefined : style;
  const { address: locale, language } = localeOf(toolLanguage(), own ?? bundled);
  const source = own ? { style: own.id, styleText: own.text } : { style: absolute(bundled.address) };
  return { id, ...source, locale: absolute(locale), language, items: references.map(toCslItem) };
}

const ALLOWED = /^<\/?(?:i|b|sup|sub|span|div)(?: style="font-(?:variant|style|weight):\s?[a-z-]+;?")?>$/;

/**
 * Keeps only the tags that styles write for emphasis and layout. Other tags, such as in a pasted title, are removed.
 */
export const cleanMarkup = (html: string): string =>
  html
    .replaceAll(/ class="[^"]*"/g, "")
    // The number and the text of an entry are separate columns, which need a space between them.
    .replaceAll("</div>", "</div> ")
    .replaceAll(/<[^>]*>?/g, (tag) => (ALLOWED.test(tag) ? tag : ""))
    .trim();

export const toPlain = (html: string): string => {
  const element = document.createElement("div");
  element.innerHTML = cleanMarkup(html);
  return (element.textContent ?? "").replaceAll(/\s+/g, " ").trim();
};
