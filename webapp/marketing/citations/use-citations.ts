import { useEffect, useRef, useState } from "react";
import type { CitationResult, CitationTask } from "./citation-worker.ts";
import type { Reference } from "#shared/marketing/references.ts";
import type { OwnStyle } from "./own-style.ts";
import { toCslItem } from "./csl-item.ts";
import { localeOf, styles, type StyleId } from "./styles.ts";
import { toolLanguage } from "../tools/words.ts";

export interface Formatted {
  state: "ready" | "loading" | "failed";
  list: CitationResult["list"];
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
  const [result, setResult] = useState<Formatted>({ state: "ready", list: [] });
  const worker = useRef<Worker>(undefined);
  const last = useRef(0);
  const isUsed = useIsUsed();
  useEffect(() => () => worker.current?.terminate(), []);
  useEffect(() => {
    last.current += 1;
    const id = last.current;
    const isEmpty = references.length === 0;
    // oxlint-disable-next-line react/set-state-in-effect -- the list follows the worker's results
    setResult(({ list }) => (isEmpty ? { state: "ready", list: [] } : { state: "loading", list }));
    // If the tool is in use, the style is loaded even without references, so that the first reference is formatted at
    // once.
    if (isEmpty && !isUsed) return;
    if (!worker.current) {
      worker.current = new Worker(new URL("./citation-worker.ts", import.meta.url), { type: "module" });
      worker.current.addEventListener("error", () => setResult({ state: "failed", list: [] }));
      worker.current.addEventListener("message", ({ data }: MessageEvent<CitationResult>) => {
        if (data.id === last.current) setResult({ state: data.failed ? "failed" : "ready", list: data.list });
      });
    }
    const bundled = styles.find(({ id: styleId }) => styleId === style) ?? styles[0];
    const own = typeof style === "string" ? undefined : style;
    const { address: locale, language } = localeOf(toolLanguage(), own ?? bundled);
    const items = references.map(toCslItem);
    const source = own ? { style: own.id, styleText: own.text } : { style: absolute(bundled.address) };
    const task: CitationTask = { id, ...source, locale: absolute(locale), language, items };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.current.postMessage(task);
  }, [references, style, isUsed]);
  return result;
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
