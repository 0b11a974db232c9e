import { useAtomValue } from "jotai/react";
import { Copy } from "lucide-react";
import { useCallback } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { Share } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { WebsiteState } from "#shared/website/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { isBusyAtom, loadLink, publishSite, unpublishSite } from "../state.ts";

interface Props {
  state: WebsiteState;
  onClose: () => void;
}

/** Publishes a frozen version of a website to everyone with its link, or ends the publication. */
export function PublishDialog({ state, onClose }: Props) {
  const { project, published } = state;
  const hasLink = published !== null;
  const load = useCallback(() => (hasLink ? loadLink(project._id) : Promise.resolve(null)), [hasLink, project._id]);
  const { answer, retry, setReady: setLink } = useAsyncValue(load);
  return (
    <Dialog open title={t("website.publish_title")} onClose={onClose} closeLabel={t("common.close")}>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 60]} height={32} />}
      {answer.state === "failed" && (
        <ErrorState title={t("website.publish")} action={<Button onClick={retry}>{t("common.retry")}</Button>}>
          {t("website.publish_failed")}
        </ErrorState>
      )}
      {answer.state === "ready" && <Publishing state={state} link={answer.value} onLink={setLink} />}
    </Dialog>
  );
}

interface PublishingProps {
  state: WebsiteState;
  link: Share | null;
  onLink: (link: Share | null) => void;
}

function Publishing({ state: { project, checkpoints, published }, link, onLink }: PublishingProps) {
  const now = useNow();
  if (link?.isTakenDown) return <p>{t("sharing.taken_down")}</p>;
  const hasChanged = published?.checkpointId !== checkpoints[0]?._id;
  return (
    <div className="website-publish">
      <p>{t("website.publish_text")}</p>
      {link && <SiteLink link={link} />}
      {link && published && (
        <p className="website-note" role="status">
          {t("website.publish_since", { when: formatRelativeDate(published.publishedAt, now) })}{" "}
          {hasChanged && t("website.publish_changed")}
        </p>
      )}
      <PublishActions projectId={project._id} hasLink={link !== null} hasChanged={hasChanged} onLink={onLink} />
    </div>
  );
}

interface ActionsProps extends Pick<PublishingProps, "onLink"> {
  projectId: string;
  hasLink: boolean;
  hasChanged: boolean;
}

function PublishActions({ projectId, hasLink, hasChanged, onLink }: ActionsProps) {
  const isBusy = useAtomValue(isBusyAtom);
  const publish = async () => {
    const share = await publishSite(projectId);
    if (share) onLink(share);
  };
  const unpublish = async () => {
    if (await unpublishSite(projectId)) onLink(null);
  };
  return (
    <div className="website-publish-actions">
      {hasLink && (
        <Button disabled={isBusy} onClick={() => void unpublish()}>
          {t("website.unpublish")}
        </Button>
      )}
      {(!hasLink || hasChanged) && (
        <Button variant="primary" pending={isBusy} onClick={() => void publish()}>
          {t(hasLink ? "website.publish_again" : "website.publish_now")}
        </Button>
      )}
    </div>
  );
}

function SiteLink({ link }: { link: Share }) {
  const address = new URL(screenPath("share", { share: link._id }), location.origin).href;
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => notify({ type: "success", message: t("sharing.copied") }),
      () => notify({ type: "error", message: t("sharing.not_copied") }),
    );
  return (
    <TextField
      label={t("sharing.link")}
      readOnly
      value={address}
      onFocus={(event) => event.target.select()}
      action={
        <Button icon={<Copy aria-hidden />} onClick={() => void copy()}>
          {t("sharing.copy_link")}
        </Button>
      }
    />
  );
}
