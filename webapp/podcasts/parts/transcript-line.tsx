import { useAtomValue } from "jotai/react";
import { memo, useState } from "react";
import { type Citation, parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import type { PodcastLine } from "#shared/podcasts/schema.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatTimecode } from "#shared/video/rules.ts";
import { openCitation } from "#webapp/library/citation-navigation.ts";
import { hasBreaksAtom, setBreaks } from "../player.ts";
import type { PodcastView } from "../state.ts";
import { LineCardDialog } from "./line-card-dialog.tsx";

type ReadyView = Extract<PodcastView, { state: "ready" }>;

interface Props {
  index: number;
  line: PodcastLine;
  view: ReadyView;
  state: "past" | "now" | "next";
  isFound: boolean;
  onPlay: () => void;
}

const SECOND_MS = 1000;
const SHORTEST_NOTED_MS = 2500;

const sourceOf = (citation: Citation, view: ReadyView) =>
  view.podcast.sources.find(({ id }) => "componentId" in citation && citation.componentId === id)?.title ?? "";

function Badge({ citation, view }: { citation: Citation; view: ReadyView }) {
  const title = sourceOf(citation, view);
  if (citation.type === "pdf_citation")
    return (
      <CiteBadge
        place={t("podcasts.page", { page: citation.page })}
        label={t("podcasts.page_label", { page: citation.page, title })}
        onOpen={() => openCitation(citation)}
      />
    );
  if (citation.type !== "video_citation") return null;
  const time = formatTimecode(citation.startMs);
  return (
    <CiteBadge place={time} label={t("podcasts.time_label", { time, title })} onOpen={() => openCitation(citation)} />
  );
}

function LineActions({ citation, onCard }: { citation: Citation; onCard: () => void }) {
  const name =
    citation.type === "pdf_citation"
      ? t("podcasts.open_page", { page: citation.page })
      : citation.type === "video_citation"
        ? t("podcasts.open_time", { time: formatTimecode(citation.startMs) })
        : undefined;
  return (
    <div className="line-actions">
      {name !== undefined && (
        <Button aria-keyshortcuts="O" onClick={() => openCitation(citation)}>
          {name} <Kbd>O</Kbd>
        </Button>
      )}
      <Button aria-keyshortcuts="C" data-make-card onClick={onCard}>
        {t("podcasts.make_card")} <Kbd>C</Kbd>
      </Button>
    </div>
  );
}

function BreakNote({ pauseMs }: { pauseMs: number }) {
  const hasBreaks = useAtomValue(hasBreaksAtom);
  return (
    <p className="line-break">
      {t("podcasts.pause_note", { count: Math.round(pauseMs / SECOND_MS) })}
      {" · "}
      <button type="button" className="line-break-switch" onClick={() => setBreaks(!hasBreaks)}>
        {t(hasBreaks ? "podcasts.breaks_off" : "podcasts.breaks_on")}
      </button>
    </p>
  );
}

function Words({ index, line, isLit, onPlay }: Pick<Props, "index" | "line" | "onPlay"> & { isLit: boolean }) {
  if (line.startMs === undefined) return <span>{line.text}</span>;
  return (
    // A link, because a button would not wrap with the words around it.
    <a
      className="line-text"
      href={`#podcast-line-${index}`}
      title={t("podcasts.go_to", { time: formatTimecode(line.startMs) })}
      onClick={(event) => {
        event.preventDefault();
        onPlay();
      }}
    >
      <span className={isLit ? "lit" : undefined}>{line.text}</span>
    </a>
  );
}

/** One line: its words are the link that jumps there, its badge leads to the passage. */
export const EpisodeLine = memo(function EpisodeLine({ index, line, view, state, isFound, onPlay }: Props) {
  const [isCarding, setCarding] = useState(false);
  const { host, guest } = view.podcast;
  const isGuest = line.speaker === "guest";
  const citation = line.citation === null ? undefined : parseCitation(line.citation);
  const isNow = state === "now";
  return (
    <div
      id={`podcast-line-${index}`}
      className="line"
      data-speaker={line.speaker}
      data-state={state}
      data-found={isFound || undefined}
      aria-current={isNow || undefined}
    >
      <span className="line-speaker">{isGuest ? guest.name : host.name}</span>
      <div className="line-words">
        <p>
          <Words index={index} line={line} isLit={isNow && isGuest} onPlay={onPlay} />{" "}
          {citation && <Badge citation={citation} view={view} />}
        </p>
        {line.pauseMs >= SHORTEST_NOTED_MS && isNow && <BreakNote pauseMs={line.pauseMs} />}
        {isNow && citation && <LineActions citation={citation} onCard={() => setCarding(true)} />}
      </div>
      {isCarding && <LineCardDialog index={index} view={view} onClose={() => setCarding(false)} />}
    </div>
  );
});
