import { Copy } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Licence, MAX_ATTRIBUTION_CHARS, Topic, type Share, type Visibility } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import type { Shareable } from "./share-dialog-state.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { licenceNames, topicNames } from "./share-labels.ts";
import "./share-dialog.css";

type Choice = "private" | Visibility;

const choices: readonly { value: Choice; label: string }[] = [
  { value: "private", label: t("sharing.private") },
  { value: "unlisted", label: t("sharing.unlisted") },
  { value: "listed", label: t("sharing.listed") },
];
const explanations: Record<Choice, string> = {
  private: t("sharing.private_text"),
  unlisted: t("sharing.unlisted_text"),
  listed: t("sharing.listed_text"),
};

interface Props {
  target: Shareable;
  onClose: () => void;
}

export function ShareDialog({ target, onClose }: Props) {
  const { type, id } = target;
  const load = useCallback(async () => (await client.sharing.getShare({ type, id })).share, [type, id]);
  const { answer, retry, setReady } = useAsyncValue(load);
  return (
    <Dialog
      open
      title={t("sharing.title", { title: target.title || t("sharing.untitled") })}
      onClose={onClose}
      closeLabel={t("common.close")}
    >
      {answer.state === "loading" && <Skeleton label={t("sharing.loading")} lines={[100, 60]} height={32} />}
      {answer.state === "failed" && (
        <ErrorState title={t("common.share")} action={<Button onClick={retry}>{t("common.retry")}</Button>}>
          {t("sharing.failed")}
        </ErrorState>
      )}
      {answer.state === "ready" && <Sharing target={target} share={answer.value} onShare={setReady} />}
    </Dialog>
  );
}

interface SharingProps {
  target: Shareable;
  share: Share | null;
  onShare: (share: Share | null) => void;
}

type ListingFields = Pick<Share, "topic" | "description" | "licence" | "attribution">;

const listingFieldsOf = ({ visibility, topic, description, licence, attribution }: Share) => ({
  visibility,
  topic,
  description,
  licence,
  attribution,
});

/** One change at a time, each based on the outcome of the one before; if one fails, the previous state stays. */
function useChanges(share: Share | null, onShare: (share: Share | null) => void) {
  const [pendingCount, setPendingCount] = useState(0);
  const latest = useRef(share);
  const lastChange = useRef<Promise<void>>(Promise.resolve());
  const makeChange = async (run: (current: Share | null) => Promise<Share | null>) => {
    try {
      latest.current = await run(latest.current);
      onShare(latest.current);
    } catch {
      notify({ type: "error", message: t("sharing.change_failed") });
    } finally {
      setPendingCount((count) => count - 1);
    }
  };
  const change = (run: (current: Share | null) => Promise<Share | null>) => {
    setPendingCount((count) => count + 1);
    lastChange.current = lastChange.current.then(() => makeChange(run));
  };
  return { change, isChanging: pendingCount > 0 };
}

function Sharing({ target: { type, id }, share, onShare }: SharingProps) {
  const { change, isChanging } = useChanges(share, onShare);
  if (share?.isTakenDown) return <p>{t("sharing.taken_down")}</p>;
  const endSharing = async () => {
    await client.sharing.endShare({ type, id });
    notify({ type: "success", message: t("sharing.new_link") });
    return null;
  };
  const saveShare = (patch: Partial<Pick<Share, "visibility"> & ListingFields>) => async (current: Share | null) => {
    const { visibility = "unlisted", ...fields } = { ...(current && listingFieldsOf(current)), ...patch };
    return (await client.sharing.putShare({ type, id, visibility, ...fields })).share;
  };
  const choice: Choice = share?.visibility ?? "private";
  const choose = (value: Choice) => change(value === "private" ? endSharing : saveShare({ visibility: value }));
  return (
    <div className="share" aria-busy={isChanging}>
      <Segmented label={t("sharing.access")} labelShown value={choice} options={choices} onValue={choose} />
      <p className="share-explained">{explanations[choice]}</p>
      {share && <ShareLink share={share} />}
      {share?.visibility === "listed" && (
        <Listing
          share={share}
          // An item that was made private in the meantime stays private.
          onChange={(patch) => change(async (current) => current && saveShare(patch)(current))}
        />
      )}
    </div>
  );
}

function ShareLink({ share }: { share: Share }) {
  const link = new URL(screenPath("share", { share: share._id }), location.origin).href;
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => notify({ type: "success", message: t("sharing.copied") }),
      () => notify({ type: "error", message: t("sharing.not_copied") }),
    );
  return (
    <div className="share-link">
      <TextField label={t("sharing.link")} readOnly value={link} onFocus={(event) => event.target.select()} />
      <Button variant="primary" icon={<Copy aria-hidden />} onClick={() => void copy()}>
        {t("sharing.copy_link")}
      </Button>
      <p className="share-counts">{t("sharing.counts", { views: share.views, duplicates: share.duplicates })}</p>
    </div>
  );
}

interface ListingProps {
  share: Share;
  onChange: (patch: Partial<ListingFields>) => void;
}

function Listing({ share, onChange }: ListingProps) {
  const [description, setDescription] = useState(share.description);
  const [attribution, setAttribution] = useState(share.attribution);
  return (
    <div className="share-listing">
      <Select
        label={t("sharing.topic")}
        value={share.topic}
        options={Topic.options.map((topic) => ({ value: topic, label: topicNames[topic] }))}
        onValue={(topic) => onChange({ topic })}
      />
      <TextField
        label={t("sharing.description")}
        value={description}
        maxLength={300}
        onChange={(event) => setDescription(event.target.value)}
        onBlur={() => description !== share.description && onChange({ description })}
      />
      <Select
        label={t("sharing.licence")}
        hint={t("sharing.licence_hint")}
        value={share.licence}
        options={Licence.options.map((licence) => ({ value: licence, label: licenceNames[licence] }))}
        onValue={(licence) => onChange({ licence })}
      />
      <TextField
        label={t("sharing.attribution")}
        hint={t("sharing.attribution_hint")}
        value={attribution}
        maxLength={MAX_ATTRIBUTION_CHARS}
        onChange={(event) => setAttribution(event.target.value)}
        onBlur={() => attribution !== share.attribution && onChange({ attribution })}
      />
    </div>
  );
}
