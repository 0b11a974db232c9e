import { useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Volume2 } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { BUCKETS } from "#shared/study/buckets.ts";
import type { Bucket } from "#shared/user/schema.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { InnerLink } from "#webapp/app/inner-link.tsx";
import { setReadAloud, readAloudAtom } from "../read-aloud.ts";
import { canSpeak } from "../speech.ts";
import { STUDY_MODES, type StudyMode } from "../study-mode.ts";
import type { Deck } from "#shared/study/deck/deck.ts";

interface Props {
  deck: Deck;
  mode: StudyMode;
  bucket: Bucket;
  counts: Readonly<Record<Bucket, number>>;
  /** Whether the "due" bucket follows an exam plan. */
  isPlanned: boolean;
  onBucket: (bucket: Bucket) => void;
}

/** Switches study mode, bucket and reading aloud. */
export function ModeBar({ deck, mode, bucket, counts, isPlanned, onBucket }: Props) {
  const path = screenPath("study", { id: deck.pageId, flashcard: deck.componentId });
  const search: Record<string, unknown> = useSearch({ strict: false });
  const isReadAloud = useAtomValue(readAloudAtom);
  return (
    <nav className="study-bar" data-mode={mode} aria-label={t("modes.modes")}>
      <ul role="list" className="study-modes">
        {STUDY_MODES.map((option) => (
          <li key={option}>
            <InnerLink
              className="study-mode"
              to={`${path}${toQuery(option, search)}`}
              aria-current={option === mode ? "page" : undefined}
            >
              {t(`modes.${option}`)}
            </InnerLink>
          </li>
        ))}
      </ul>
      <div className="study-bar-end">
        <Select
          className="study-bucket"
          label={t("modes.bucket")}
          labelHidden
          value={bucket}
          options={BUCKETS.map((option) => ({
            value: option,
            label:
              option === "due" && mode === "learn" && !isPlanned
                ? t("modes.bucket_due_new")
                : t("modes.bucket_count", { name: bucketName(option, isPlanned), count: counts[option] }),
          }))}
          onValue={onBucket}
        />
        {canSpeak() && (
          <IconButton
            label={t("modes.read_aloud")}
            aria-pressed={isReadAloud}
            icon={<Volume2 aria-hidden />}
            onClick={() => setReadAloud(!isReadAloud)}
          />
        )}
      </div>
    </nav>
  );
}

/** The query string of a mode, which keeps the parameters that the session started with. */
function toQuery(mode: StudyMode, { all, bucket }: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(mode === "learn" ? {} : { mode });
  if (typeof all === "string") query.set("all", all);
  if (typeof bucket === "string") query.set("bucket", bucket);
  return query.size > 0 ? `?${query.toString()}` : "";
}

const bucketName = (bucket: Bucket, isPlanned: boolean) =>
  isPlanned && bucket === "due" ? t("modes.bucket_planned") : t(`modes.bucket_${bucket}`);
