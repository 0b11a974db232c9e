import { useAtomValue } from "jotai/react";
import { Download, ExternalLink, Link2, RotateCw } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { PreviewReport, WebsiteState } from "#shared/website/schema.ts";
import { downloadSite, isBusyAtom, reportPreview } from "../state.ts";
import { ConsoleView, FaultList } from "./console-view.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { PreviewFrame, type PreviewWidth } from "./preview-frame.tsx";
import { usePreviewReports } from "./preview-reports.ts";
import { VersionLine } from "./version-line.tsx";
import "./site-pane.css";

// Loaded on demand, because the editor is large and only this view needs it.
const CodeView = lazy(async () => ({ default: (await import("./code-view.tsx")).CodeView }));

interface Props {
  state: WebsiteState;
  name: string;
}

type View = "preview" | "code";

/** Whether the first site is not made yet, so that there is nothing to show, download, publish or restore. */
const isEmpty = ({ devServer, document, checkpoints, published }: WebsiteState) =>
  devServer.dev_url === null && document?.sections.length === 0 && published === null && checkpoints.length <= 1;

/** The preview or code of a site, and its versions. */
export function SitePane({ state, name }: Props) {
  const { project, devServer } = state;
  const [view, setView] = useState<View>("preview");
  const [width, setWidth] = useState<PreviewWidth>("full");
  const [reloads, setReloads] = useState(0);
  const onReport = useCallback((report: PreviewReport) => void reportPreview(project._id, report), [project._id]);
  const key = `${devServer.dev_url ?? ""} ${devServer.build} ${reloads}`;
  const reports = usePreviewReports({ key, build: devServer.build, onReport });
  const preview = <PreviewFrame key={reloads} state={state} name={name} width={width} reports={reports} />;
  return (
    <section className="website-site" aria-label={t("website.view")}>
      {isEmpty(state) ? (
        preview
      ) : (
        <>
          <SiteBar
            state={state}
            view={view}
            onView={setView}
            width={width}
            onWidth={setWidth}
            onReload={() => setReloads(reloads + 1)}
          />
          <FaultList faults={devServer.faults} hasPreview={devServer.dev_url !== null} />
          {view === "preview" ? preview : <Code state={state} />}
          {view === "preview" && <ConsoleView lines={reports.lines} />}
          <VersionLine projectId={project._id} checkpoints={state.checkpoints} />
        </>
      )}
    </section>
  );
}

const Code = ({ state: { project, files, checkpoints, devServer } }: Pick<Props, "state">) => (
  <Suspense fallback={<Skeleton label={t("common.loading")} lines={[40, 80, 60, 90]} height={18} />}>
    <CodeView projectId={project._id} files={files} version={checkpoints[0]?._id ?? ""} faults={devServer.faults} />
  </Suspense>
);

interface BarProps extends Pick<Props, "state"> {
  view: View;
  onView: (view: View) => void;
  width: PreviewWidth;
  onWidth: (width: PreviewWidth) => void;
  onReload: () => void;
}

function SiteBar({ state, view, onView, width, onWidth, onReload }: BarProps) {
  const { devServer } = state;
  const isBusy = useAtomValue(isBusyAtom);
  const status = isBusy && devServer.dev_url === null ? "starting" : devServer.status;
  return (
    <div className="website-bar">
      <Segmented
        label={t("website.view")}
        value={view}
        options={[
          { value: "preview", label: t("website.preview") },
          { value: "code", label: t("website.code") },
        ]}
        onValue={onView}
      />
      <span className="website-online" data-status={status} role="status">
        {t(`website.status_${status}`)}
      </span>
      {view === "preview" && (
        <span className="website-widths">
          <Segmented
            label={t("website.width")}
            value={width}
            options={[
              { value: "phone", label: t("website.width_phone") },
              { value: "tablet", label: t("website.width_tablet") },
              { value: "full", label: t("website.width_full") },
            ]}
            onValue={onWidth}
          />
        </span>
      )}
      <SiteActions state={state} onReload={onReload} />
    </div>
  );
}

function SiteActions({ state, onReload }: { state: WebsiteState; onReload: () => void }) {
  const { project, devServer } = state;
  const [isPublishing, setPublishing] = useState(false);
  return (
    <span className="website-actions">
      <IconButton
        label={t("website.reload")}
        icon={<RotateCw aria-hidden />}
        disabled={devServer.dev_url === null}
        onClick={onReload}
      />
      {devServer.dev_url !== null && (
        <ButtonLink
          variant="quiet"
          icon={<ExternalLink aria-hidden />}
          href={devServer.dev_url}
          target="_blank"
          rel="noreferrer"
        >
          {t("website.open_tab")}
        </ButtonLink>
      )}
      <Button variant="quiet" icon={<Download aria-hidden />} onClick={() => void downloadSite(project)}>
        {t("website.download")}
      </Button>
      <Button icon={<Link2 aria-hidden />} onClick={() => setPublishing(true)}>
        {t("website.publish")}
      </Button>
      {isPublishing && <PublishDialog state={state} onClose={() => setPublishing(false)} />}
    </span>
  );
}
