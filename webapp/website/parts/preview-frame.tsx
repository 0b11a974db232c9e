import { useAtomValue } from "jotai/react";
import { useLayoutEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { WebsiteState } from "#shared/website/schema.ts";
import { isBusyAtom, startPreview } from "../state.ts";
import type { PreviewReports } from "./preview-reports.ts";

export type PreviewWidth = "phone" | "tablet" | "full";

interface Props {
  state: WebsiteState;
  name: string;
  width: PreviewWidth;
  reports: PreviewReports;
}

/** The site in a sandboxed frame without an origin, so that it can access neither the app nor the network. */
export function PreviewFrame({ state, name, width, reports }: Props) {
  const isBusy = useAtomValue(isBusyAtom);
  const { project, devServer, document } = state;
  const { dev_url: url, build } = devServer;
  if (url === null && isBusy)
    return (
      <div className="website-stage">
        <Skeleton label={t("website.status_starting")} lines={[60, 100, 100, 90]} height={24} />
      </div>
    );
  if (url === null && document?.sections.length === 0)
    return (
      <div className="website-stage">
        <EmptyState title={t("website.empty_title")}>{t("website.empty_text")}</EmptyState>
      </div>
    );
  if (url === null)
    return (
      <div className="website-stage">
        <EmptyState
          title={t("website.preview_off_title")}
          action={<Button onClick={() => void startPreview(project._id)}>{t("website.start_preview")}</Button>}
        >
          {t("website.preview_off_text")}
        </EmptyState>
      </div>
    );
  return (
    <div className="website-stage">
      <div className="website-device" data-width={width}>
        <p className="website-safe">{t("website.preview_safe")}</p>
        <Frame key={`${url} ${build}`} url={url} title={t("website.preview_frame", { name })} reports={reports} />
      </div>
    </div>
  );
}

function Frame({ url, title, reports }: { url: string; title: string; reports: PreviewReports }) {
  const { frame, serialiseStorage } = reports;
  // Passed as the window's name, the only data that a document without an origin can read before its first script.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    element.name = serialiseStorage();
    element.src = `${url}?frame`;
    // Only a new frame loads the site.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-scripts allow-forms allow-modals allow-downloads"
      referrerPolicy="no-referrer"
    />
  );
}
