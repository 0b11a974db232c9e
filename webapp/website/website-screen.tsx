import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { ArrowLeft, Pencil } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { WebsiteState } from "#shared/website/schema.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { ChatPane } from "./chat/chat-pane.tsx";
import { ContentsPane } from "./parts/contents-pane.tsx";
import { RenameProjectDialog } from "./parts/project-dialogs.tsx";
import { SitePane } from "./parts/site-pane.tsx";
import { loadSources, openProject, openProjectAtom } from "./state.ts";
import "./website-screen.css";

export function WebsiteScreen() {
  const { id } = useScreenParams("website");
  const open = useAtomValue(openProjectAtom);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId === undefined) return;
    void openProject(id);
    void loadSources();
  }, [id, accountId]);
  const isShown = open.state === "ready" && open.data.project._id === id;
  if (isShown) return <Project key={id} state={open.data} />;
  return (
    <main id="content" className="website-status">
      {(open.state === "loading" || open.state === "ready") && (
        <Skeleton label={t("common.loading")} lines={[40, 100, 100, 80]} height={28} />
      )}
      {open.state === "failed" && (
        <ErrorState
          title={t("website.failed_title")}
          headingLevel={1}
          action={<Button onClick={() => void openProject(id)}>{t("common.retry")}</Button>}
        >
          {t("website.failed_text")}
        </ErrorState>
      )}
      {open.state === "gone" && (
        <ErrorState
          title={t("website.gone_title")}
          headingLevel={1}
          action={<ButtonLink href={screenPath("websites", {})}>{t("website.back")}</ButtonLink>}
        >
          {t("website.gone_text")}
        </ErrorState>
      )}
    </main>
  );
}

type Pane = "make" | "chat" | "site";

/** From this width on, the preview is beside the tabs. `website-screen.css` has the same width. */
const TWO_COLUMNS = "(min-width: 56.01rem)";

function Project({ state }: { state: WebsiteState }) {
  const [chosen, setPane] = useState<Pane>("make");
  const hasTwoColumns = useMediaQuery(TWO_COLUMNS);
  const pane = hasTwoColumns && chosen === "site" ? "make" : chosen;
  const name = state.project.name || t("website.untitled");
  useTitle(name);
  return (
    <main id="content" className="website" data-pane={pane}>
      <div className="website-side">
        <ProjectHead state={state} name={name} />
        <div className="website-tabs">
          <Segmented
            label={t("website.tabs")}
            value={pane}
            options={[
              { value: "make", label: t("website.tab_make") },
              { value: "chat", label: t("website.tab_chat") },
              ...(hasTwoColumns ? [] : [{ value: "site" as const, label: t("website.preview") }]),
            ]}
            onValue={setPane}
          />
        </div>
        <div className="website-pane" hidden={pane === "chat"}>
          <ContentsPane state={state} />
        </div>
        <div className="website-pane website-pane-chat" hidden={pane !== "chat"}>
          <ChatPane projectId={state.project._id} name={state.project.name} />
        </div>
      </div>
      <SitePane state={state} name={name} />
    </main>
  );
}

function ProjectHead({ state, name }: { state: WebsiteState; name: string }) {
  const [isRenaming, setRenaming] = useState(false);
  return (
    <header className="website-head">
      <Link to={screenPath("websites", {})} className="website-back">
        <ArrowLeft aria-hidden /> {t("website.back")}
      </Link>
      <div className="website-name">
        <h1 dir="auto">{name}</h1>
        <IconButton label={t("website.rename_title")} icon={<Pencil aria-hidden />} onClick={() => setRenaming(true)} />
      </div>
      {isRenaming && <RenameProjectDialog project={state.project} onClose={() => setRenaming(false)} />}
    </header>
  );
}
