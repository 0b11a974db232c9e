import { useAtomValue } from "jotai/react";
import { memo, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PodcastLine } from "#shared/podcasts/schema.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatTimecode } from "#shared/video/rules.ts";
import { type LineCitation, findLineCitation } from "../line-citation.ts";
import { hasBreaksAtom, setBreaks } from "../listening-settings.ts";
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

/** The button of a line that is pointed at or focused while another one plays; the key belongs to the playing line. */
const CardButton = ({ onCard }: { onCard: () => void }) => (
  <div className="line-card">
    <Button onClick={onCard}>{t("podcasts.make_card")}</Button>
  </div>
);

function LineActions({ citation, onCard }: { citation: LineCitation; onCard: () => void }) {
  return (
    <div className="line-actions">
      <Button aria-keyshortcuts="O" onClick={citation.open}>
        {citation.openLabel} <Kbd>O</Kbd>
      </Button>
      <Button aria-keyshortcuts="C" data-make-card onClick={onCard}>
        {t("podcasts.make_card")} <Kbd>C</Kbd>
      </Button>
    </div>
  );
}

interface ToolProps {
  citation: LineCitation;
  isNow: boolean;
  isActive: boolean;
  onCard: () => void;
}

/** What can be done with a line that cites a passage, while it plays or is pointed at. */
function LineTools({ citation, isNow, isActive, onCard }: ToolProps) {
  if (isNow) return <LineActions citation={citation} onCard={onCard} />;
  return isActive ? <CardButton onCard={onCard} /> : null;
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
    // A link, because a button would not wrap like text.
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

/** A line of the transcript. Its text is a link that plays the line, and its badge opens the cited passage. */
export const EpisodeLine = memo(function EpisodeLine({ index, line, view, state, isFound, onPlay }: Props) {
  const [isCarding, setCarding] = useState(false);
  const [isActive, setActive] = useState(false);
  const { host, guest } = view.podcast;
  const isGuest = line.speaker === "guest";
  const citation = findLineCitation(line, view.podcast.sources);
  const isNow = state === "now";
  return (
    <div
      id={`podcast-line-${index}`}
      className="line"
      data-speaker={line.speaker}
      data-state={state}
      data-found={isFound || undefined}
      aria-current={isNow || undefined}
      onPointerEnter={() => setActive(true)}
      onPointerLeave={() => setActive(false)}
      onFocus={() => setActive(true)}
      onBlur={({ currentTarget, relatedTarget }) => setActive(currentTarget.contains(relatedTarget))}
    >
      <span className="line-speaker">{isGuest ? guest.name : host.name}</span>
      <div className="line-words">
        <p>
          <Words index={index} line={line} isLit={isNow && isGuest} onPlay={onPlay} />{" "}
          {citation && <CiteBadge place={citation.place} label={citation.label} onOpen={citation.open} />}
        </p>
        {line.pauseMs >= SHORTEST_NOTED_MS && isNow && <BreakNote pauseMs={line.pauseMs} />}
        {citation && <LineTools {...{ citation, isNow, isActive }} onCard={() => setCarding(true)} />}
      </div>
      {isCarding && <LineCardDialog index={index} view={view} onClose={() => setCarding(false)} />}
    </div>
  );
});
