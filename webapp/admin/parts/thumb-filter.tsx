import { t } from "#shared/messages/translate.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";

const THUMBS = ["all", "up", "down"] as const;
export type Thumb = (typeof THUMBS)[number];

interface Props {
  value: Thumb;
  onValue: (value: Thumb) => void;
}

/** Filters a list by thumb. */
export function ThumbFilter({ value, onValue }: Props) {
  return (
    <Segmented
      label={t("figures.thumb")}
      value={value}
      options={THUMBS.map((thumb) => ({ value: thumb, label: t(`figures.thumb_${thumb}`) }))}
      onValue={onValue}
    />
  );
}
