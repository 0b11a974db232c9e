import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { KnowledgeSource, TranscriptState } from "#shared/library/knowledge.ts";
import { t, translateSent } from "#shared/messages/translate.ts";
import type { ReadingState } from "#shared/pdf/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { libraryItemPath, type LibraryItemKind } from "../library-items.ts";
import { useLazyThumbnail } from "#webapp/uploads/use-lazy-thumbnail.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import { fetchReadingState, startRecognition, stopRecognition } from "../knowledge/knowledge-state.ts";

/** Polling interval while the server is working on the source. */
const POLL_INTERVAL_MS = 4_000;
const isInProgress = (state: ReadingState["state"] | undefined) =>
  state === "reading" || state === "waiting" || state === "running";

const toItemKind = (kind: KnowledgeSource["kind"]): LibraryItemKind =>
  kind === "image" || kind === "video" ? kind : "pdf";

const toThumbnailKind = (kind: KnowledgeSource["kind"]) =>
  kind === "video" ? "video" : kind === "word" || kind === "slides" ? "none" : "document";

function SourceThumbnail({ source }: { source: KnowledgeSource }) {
  const { componentId, kind } = source;
  const { ref, url } = useLazyThumbnail(componentId, toThumbnailKind(kind));
  return (
    <span ref={ref} className="source-picture" data-kind={kind}>
      {url === undefined ? <LibraryItemIcon kind={toItemKind(kind)} emoji={null} /> : <img src={url} alt="" />}
    </span>
  );
}

type KnownState = ReadingState | null | undefined;

/** The source's reading state, polled while the server is working on it. Undefined before the first response. */
function useReadingState({ componentId, kind }: KnowledgeSource) {
  const [readingState, setReadingState] = useState<KnownState>(undefined);
  const pollRef = useRef<() => void>(undefined);
  useEffect(() => {
    if (kind === "video") return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isUnmounted = false;
    const poll = async () => {
      clearTimeout(timer);
      const state = await fetchReadingState(componentId);
      if (isUnmounted) return;
      setReadingState(state);
      if (isInProgress(state?.state)) timer = setTimeout(() => void poll(), POLL_INTERVAL_MS);
    };
    pollRef.current = () => void poll();
    void poll();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [componentId, kind]);
  const setState = (state: ReadingState) => {
    setReadingState(state);
    if (isInProgress(state.state)) setTimeout(() => pollRef.current?.(), POLL_INTERVAL_MS);
  };
  return { readingState, setState, checkAgain: () => pollRef.current?.() };
}

/** The units of documents that are not divided into pages. */
const unitKeys = { slides: "sources.slides", word: "sources.sections" } as const;
const unitKeyOf = (kind: KnowledgeSource["kind"]) =>
  kind === "slides" || kind === "word" ? unitKeys[kind] : ("sources.pages" as const);

function describeState(readingState: KnownState, kind: KnowledgeSource["kind"]): string {
  if (readingState === undefined) return "";
  if (readingState === null) return t("sources.unknown");
  if (readingState.state === "failed")
    return readingState.message === null ? t("sources.failed") : translateSent(readingState.message, readingState);
  if (readingState.state === "running")
    return t("sources.running", { done: readingState.recognised, total: readingState.textlessPages });
  const label = t(`sources.${readingState.state}`);
  return readingState.pageCount > 0 && kind !== "image"
    ? `${label} · ${t(unitKeyOf(kind), { count: readingState.pageCount })}`
    : label;
}

/** The action that the row offers; undefined if there is none. */
function nextAction(readingState: KnownState): "recognise" | "again" | "stop" | "check" | undefined {
  if (readingState === undefined) return undefined;
  if (readingState === null) return "check";
  switch (readingState.state) {
    case "needs_ocr":
      return "recognise";
    case "waiting":
    case "running":
      return "stop";
    case "failed":
      // If text recognition failed, a retry may succeed.
      return readingState.textlessPages > readingState.recognised ? "again" : "check";
    case "reading":
    case "ready":
      return undefined;
    default:
      return readingState.state satisfies never;
  }
}

function Reading({ source }: { source: KnowledgeSource }) {
  const { readingState, setState, checkAgain } = useReadingState(source);
  const { componentId, title } = source;
  const change = async (next: Promise<ReadingState | null>) => {
    const state = await next;
    if (state) setState(state);
  };
  const actions = {
    recognise: ["sources.recognise", "sources.recognise_of", () => void change(startRecognition(componentId))],
    again: ["common.retry", "sources.recognise_again_of", () => void change(startRecognition(componentId))],
    stop: ["sources.stop", "sources.stop_of", () => void change(stopRecognition(componentId))],
    check: ["sources.check", "sources.check_of", checkAgain],
  } as const;
  const action = nextAction(readingState);
  const [label, name, onAction] = action ? actions[action] : [];
  return (
    <p className="source-state" data-state={readingState?.state ?? "unknown"}>
      <span role="status">{describeState(readingState, source.kind)}</span>
      {action && label && name && (
        <Button variant={action === "check" ? "quiet" : "secondary"} aria-label={t(name, { title })} onClick={onAction}>
          {t(label)}
        </Button>
      )}
    </p>
  );
}

const transcriptKeys = {
  ready: "sources.transcript",
  transcribing: "sources.transcribing",
  none: "sources.no_transcript",
  refused: "sources.no_transcript",
} as const;

function TranscriptStatus({ spoken }: { spoken: TranscriptState }) {
  const { state, message } = spoken;
  return (
    <p className="source-state" data-state={state}>
      <span role="status">{message === null ? t(transcriptKeys[state]) : translateSent(message, spoken)}</span>
    </p>
  );
}

function RelatedItems({ source }: { source: KnowledgeSource }) {
  const { decks, highlights, notes, pictures, componentId, kind, pageId } = source;
  const path = libraryItemPath({ id: componentId, kind: toItemKind(kind), pageId });
  if (decks.length === 0 && highlights + notes + pictures === 0)
    return <p className="source-made">{t("sources.nothing_made")}</p>;
  return (
    <ul role="list" className="source-made">
      {decks.map((deck) => (
        <li key={deck.componentId}>
          <Link to={screenPath("study", { id: deck.pageId, flashcard: deck.componentId })}>
            {t("sources.made_cards", { title: deck.title || t("common.untitled"), count: deck.cards })}
          </Link>
        </li>
      ))}
      {highlights > 0 && (
        <li>
          <Link to={path}>{t("sources.highlights", { count: highlights })}</Link>
        </li>
      )}
      {notes > 0 && (
        <li>
          <Link to={path}>{t("sources.notes", { count: notes })}</Link>
        </li>
      )}
      {pictures > 0 && (
        <li>
          <Link to={libraryItemPath({ id: componentId, kind: "image", pageId })}>
            {t("sources.pictures", { count: pictures })}
          </Link>
        </li>
      )}
    </ul>
  );
}

export function SourceRow({ source }: { source: KnowledgeSource }) {
  const { componentId, kind, pageId, title, sizeBytes, durationMs, pageTitle, spoken } = source;
  const details = [
    t(`sources.kind_${kind}`),
    ...(sizeBytes === null ? [] : [formatSize(sizeBytes)]),
    ...(durationMs === null ? [] : [formatTimecode(durationMs)]),
    // A source added without a page has its own page of the same name.
    ...(pageTitle === title ? [] : [t("sources.on_page", { page: pageTitle || t("common.untitled") })]),
  ];
  return (
    <li className="source-row">
      <SourceThumbnail source={source} />
      <div className="source-words">
        <Link className="list-name" to={libraryItemPath({ id: componentId, kind: toItemKind(kind), pageId })}>
          {title || t("common.untitled")}
        </Link>
        <p className="source-about">{details.join(" · ")}</p>
        {spoken === null ? <Reading source={source} /> : <TranscriptStatus spoken={spoken} />}
        <RelatedItems source={source} />
      </div>
    </li>
  );
}
