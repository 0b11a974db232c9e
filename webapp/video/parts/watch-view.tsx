import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { ArrowLeft, Headphones } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { KeyHint } from "#shared/ui/kbd.tsx";
import { useRootAttribute } from "#shared/ui/root-attribute.ts";
import { store } from "#webapp/app/store.ts";
import { PinButton } from "#webapp/library/parts/pin-button.tsx";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { copyQuote, type VideoQuote } from "../quote-cards.ts";
import { loadNotes } from "../notes.ts";
import { seekTo } from "../playback.ts";
import { currentLineAtom, transcriptAtom, showCitation, type CitedAddress, type VideoInfo } from "../state.ts";
import {
  selectLine,
  clearSelection,
  useTranscriptSelection,
  type TranscriptSelection,
} from "../use-transcript-selection.ts";
import { useVideoKeys, type VideoKeys } from "../use-video-keys.ts";
import { SidebarButton } from "#webapp/ui/sidebar/sidebar-button.tsx";
import { CardDialog } from "./card-dialog.tsx";
import { ChaptersPanel } from "./chapters-panel.tsx";
import { VideoKeysDialog } from "./keys-dialog.tsx";
import { NotesPanel } from "./notes-panel.tsx";
import { PlayerBar } from "./player-bar.tsx";
import { VideoPlayer } from "./player.tsx";
import { TranscriptPanel } from "./transcript-panel.tsx";

type SidePanel = "transcript" | "chapters" | "notes";

const NO_LINES: never[] = [];

/** The line being spoken, or the first line before that. */
function getSpokenLine(): TranscriptSelection | null {
  const transcriptState = store.get(transcriptAtom);
  return transcriptState.state === "ready"
    ? (transcriptState.transcript.segments[Math.max(0, store.get(currentLineAtom))] ?? null)
    : null;
}

/** Seeks to the next or previous line. Before the first line, both directions lead to the first line. */
function stepLine(step: 1 | -1): void {
  const transcriptState = store.get(transcriptAtom);
  const index = store.get(currentLineAtom) + step;
  const next =
    transcriptState.state === "ready" ? transcriptState.transcript.segments[index === -1 ? 0 : index] : undefined;
  if (next) seekTo(next.startMs);
}

/** Pressing a button must not clear the selection before it is read. */
const preventBlur = (event: { preventDefault: () => void }) => event.preventDefault();

interface BarProps {
  onCard: () => void;
  onCopy: () => void;
}

function SelectionBar({ onCard, onCopy }: BarProps) {
  return (
    <section className="selection-bar" aria-label={t("video.selected")}>
      <Button variant="primary" onPointerDown={preventBlur} onClick={onCard}>
        {t("video.make_card")}
      </Button>
      <Button onPointerDown={preventBlur} onClick={onCopy}>
        {t("video.copy_quote")}
      </Button>
    </section>
  );
}

/** Actions for the selected words. Without a selection, actions for the line being spoken. */
function TranscriptActions({ isSelected, keys }: { isSelected: boolean; keys: VideoKeys }) {
  const { state } = useAtomValue(transcriptAtom);
  if (isSelected) return <SelectionBar onCard={keys.card} onCopy={keys.copy} />;
  if (state !== "ready") return null;
  return (
    <section className="selection-bar" aria-label={t("video.this_line")}>
      <Button aria-keyshortcuts="M" onClick={keys.card}>
        {t("video.card_here")} <KeyHint>M</KeyHint>
      </Button>
      <Button aria-keyshortcuts="N" onClick={keys.note}>
        {t("video.note_here")} <KeyHint>N</KeyHint>
      </Button>
      <p className="selection-hint">{t("video.select_hint")}</p>
    </section>
  );
}

/** The selected or spoken passage, the actions on it, and their shortcuts. */
function useWatchView(video: Pick<VideoQuote, "videoId" | "title">) {
  const { videoId, title } = video;
  const [side, setSide] = useState<SidePanel>("transcript");
  const [isShowingKeys, setShowingKeys] = useState(false);
  const [cardQuote, setCardQuote] = useState<VideoQuote | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const pendingFocus = useRef<"search" | "note" | null>(null);
  const transcriptState = useAtomValue(transcriptAtom);
  const selected = useTranscriptSelection(
    transcriptState.state === "ready" ? transcriptState.transcript.segments : NO_LINES,
  );
  useEffect(() => {
    // The field exists only after the render that shows its tab.
    if (pendingFocus.current === "search") search.current?.focus();
    if (pendingFocus.current === "note") note.current?.focus();
    pendingFocus.current = null;
  });
  const keys = useMemo((): VideoKeys => {
    const quote = (): VideoQuote | null => {
      const passage = selected ?? getSpokenLine();
      return passage && { videoId, title, text: passage.text, startMs: passage.startMs, endMs: passage.endMs };
    };
    const goTo = (next: SidePanel, field: "search" | "note") => {
      pendingFocus.current = field;
      setSide(next);
      // If the tab is already shown, nothing rerenders.
      (field === "search" ? search : note).current?.focus();
    };
    return {
      line: stepLine,
      selectLine: (step) => {
        setSide("transcript");
        selectLine(Math.max(0, store.get(currentLineAtom)), step);
      },
      clearSelection,
      search: () => goTo("transcript", "search"),
      note: () => goTo("notes", "note"),
      card: () => setCardQuote(quote()),
      copy: () => {
        const passage = quote();
        if (passage) void copyQuote(passage);
      },
      keys: () => setShowingKeys(true),
    };
  }, [videoId, title, selected]);
  useVideoKeys(keys);
  return {
    side,
    setSide,
    isShowingKeys,
    setShowingKeys,
    cardQuote,
    setCardQuote,
    selected,
    keys,
    fields: { search, note },
  };
}

const sideOptions = () => [
  { value: "transcript" as const, label: t("video.transcript") },
  { value: "chapters" as const, label: t("video.chapters") },
  { value: "notes" as const, label: t("video.notes") },
];

function Header({ pageId, videoId, title }: { pageId: string; videoId: string; title: string }) {
  return (
    <header className="video-header">
      <SidebarButton />
      <Link to={screenPath("page", { id: pageId })} className="video-back" aria-label={t("video.to_page")}>
        <ArrowLeft aria-hidden />
      </Link>
      <h1 className="video-title" dir="auto">
        {title}
      </h1>
      <PinButton item={{ id: videoId, kind: "video", title, emoji: null, pageId }} />
      <IconButton
        label={t("video.podcast")}
        icon={<Headphones aria-hidden />}
        onClick={() => openPodcastDialog([{ type: "video", id: videoId }])}
      />
    </header>
  );
}

interface Props {
  info: VideoInfo;
  /** The state of the URL, which may name a time and a quote. */
  cited: CitedAddress;
}

/** The player with transcript, chapters and notes next to it. */
export function WatchView({ info, cited: { search, arrival } }: Props) {
  const { component } = info;
  const { _id: videoId, pageId } = component;
  const root = useRef<HTMLDivElement>(null);
  useRootAttribute(root, "contained");
  const title = component.type === "video" ? component.content.title || component.content.file.name : "";
  const { side, setSide, keys, fields, selected, ...open } = useWatchView({ videoId, title });
  useEffect(() => void loadNotes({ pageId, videoId }), [pageId, videoId]);
  useEffect(() => showCitation({ search, arrival }), [search, arrival]);
  return (
    <div ref={root} className="video">
      <Header pageId={pageId} videoId={videoId} title={title} />
      <main className="video-main">
        <section className="video-stage" aria-label={t("video.player")}>
          <VideoPlayer component={component} />
          <PlayerBar onKeys={keys.keys} />
        </section>
        <section className="video-side" aria-label={t("video.side")}>
          <div className="video-tabs">
            <Segmented label={t("video.side")} value={side} options={sideOptions()} onValue={setSide} />
          </div>
          <div className="video-panel" data-side={side}>
            {side === "transcript" && <TranscriptPanel info={info} searchRef={fields.search} />}
            {side === "chapters" && <ChaptersPanel info={info} />}
            {side === "notes" && <NotesPanel target={{ pageId, videoId }} inputRef={fields.note} />}
          </div>
          {side === "transcript" && <TranscriptActions isSelected={selected !== null} keys={keys} />}
        </section>
      </main>
      {open.cardQuote && <CardDialog quote={open.cardQuote} pageId={pageId} onClose={() => open.setCardQuote(null)} />}
      <VideoKeysDialog open={open.isShowingKeys} onClose={() => open.setShowingKeys(false)} />
    </div>
  );
}
