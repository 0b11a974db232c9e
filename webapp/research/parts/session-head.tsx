import {
  ArrowDown,
  EllipsisVertical,
  Headphones,
  Pencil,
  Printer,
  Quote,
  Copy,
  FileDown,
  Share2,
  Trash2,
} from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { depthLimits } from "#shared/research/rules.ts";
import { exportBibtex, exportCslJson, exportMarkdown } from "#shared/research/export.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { formatTimecode } from "#shared/video/rules.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { openShareDialog } from "#webapp/sharing/share-dialog-state.ts";
import type { OpenSession } from "../open-session.ts";
import { duplicateResearchSession, archiveResearchSession } from "../state.ts";
import { RenameSessionDialog } from "./rename-dialog.tsx";
import { headingOf } from "./source-name.ts";
import { WidthToggle } from "./width-toggle.tsx";

const SECOND_MS = 1000;

/** The time that the run has taken, and the time limit of its depth. */
function ElapsedTime({ run }: ResearchSession) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const mostMs = depthLimits[run.depth].minutes * 60_000;
  const elapsedMs = Math.max(0, now - run.startedAt);
  return (
    <span className="research-elapsed">
      {t("research.elapsed", { time: formatTimecode(elapsedMs), most: formatTimecode(mostMs) })}
    </span>
  );
}

const fileName = (title: string) => title.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "research";

function download(session: ResearchSession, text: string, ending: string, type: string): void {
  saveFile(new Blob([text], { type }), `${fileName(session.conversation_title)}.${ending}`);
}

/** The formats in which a session and its sources can be exported. */
const listExports = (session: ResearchSession) => [
  {
    label: t("research.export_markdown"),
    icon: <FileDown aria-hidden />,
    onSelect: () =>
      download(
        session,
        exportMarkdown(session, (section) => t("research.your_version_of", { heading: headingOf(section) })),
        "md",
        "text/markdown",
      ),
  },
  {
    label: t("research.export_bibtex"),
    icon: <Quote aria-hidden />,
    onSelect: () => download(session, exportBibtex(session.sources), "bib", "application/x-bibtex"),
  },
  {
    label: t("research.export_csl"),
    icon: <Quote aria-hidden />,
    onSelect: () => download(session, exportCslJson(session.sources), "json", "application/json"),
  },
  { label: t("research.print"), icon: <Printer aria-hidden />, onSelect: () => window.print() },
];

function SessionMenu({ live, session }: { live: OpenSession; session: ResearchSession }) {
  const { _id: id } = session;
  const [isRenaming, setRenaming] = useState(false);
  const copy = async () => {
    const copyId = await duplicateResearchSession(id);
    if (copyId !== undefined) goTo(screenPath("researchSession", { id: copyId }));
  };
  const remove = () => {
    goTo(screenPath("home", {}));
    void archiveResearchSession(id);
  };
  const exports = listExports(session);
  const share = () =>
    openShareDialog({ type: "research_session", id, title: session.conversation_title || t("research.untitled") });
  const podcast = {
    label: t("podcasts.make"),
    icon: <Headphones aria-hidden />,
    onSelect: () => openPodcastDialog([{ type: "research", id }]),
  };
  const ownerActions = [
    ...(session.canvas === "" ? [] : [podcast]),
    { label: t("research.rename"), icon: <Pencil aria-hidden />, onSelect: () => setRenaming(true) },
    { label: t("research.share"), icon: <Share2 aria-hidden />, onSelect: share },
    { label: t("research.duplicate"), icon: <Copy aria-hidden />, onSelect: () => void copy() },
    { label: t("research.remove"), icon: <Trash2 aria-hidden />, danger: true, onSelect: remove },
  ];
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label={t("research.more")} icon={<EllipsisVertical aria-hidden />} />}
        groups={session.read_only ? [exports] : [exports, ownerActions]}
      />
      {isRenaming && (
        <RenameSessionDialog
          id={id}
          title={session.conversation_title}
          onRenamed={(title) => live.showTitle(title)}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  );
}

/** In a narrow window the sources are below the result. */
const showSources = () => document.querySelector("#research-sources")?.scrollIntoView();

export function SessionHead({ live, session }: { live: OpenSession; session: ResearchSession }) {
  const { run, conversation_title: title } = session;
  // The plan gives the session its title; until then the heading is the question.
  const question = session.history.find(({ creator }) => creator === "user")?.content;
  const [isStopping, setStopping] = useState(false);
  const stop = async () => {
    setStopping(true);
    await live.stop();
    setStopping(false);
  };
  return (
    <header className="research-head">
      <h1 dir="auto">{title || question || t("research.untitled")}</h1>
      <div className="research-head-row">
        {run.id !== "" && (
          <span className="research-head-about">
            {t(`research.depth_${run.depth}`)}
            <span className="research-head-sources">
              {" · "}
              {run.lookIn.map((name) => t(`research.source_${name}`)).join(", ")}
            </span>
          </span>
        )}
        {session.sources.length > 0 && (
          <button type="button" className="research-to-sources" onClick={showSources}>
            {t("research.sources_count", { count: session.sources.length })} <ArrowDown aria-hidden />
          </button>
        )}
        {run.status === "running" && <ElapsedTime {...session} />}
        {run.status === "running" && !session.read_only && (
          <Button pending={isStopping} onClick={() => void stop()}>
            {t("research.stop")}
          </Button>
        )}
        <span className="research-head-menu">
          <WidthToggle />
          <SessionMenu live={live} session={session} />
        </span>
      </div>
    </header>
  );
}
