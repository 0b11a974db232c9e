import { useModeKeys } from "#webapp/kit/use-mode-keys.ts";
import { t } from "#shared/messages/translate.ts";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { StudyFrame } from "#webapp/kit/study-frame.tsx";
import type { ModeProps } from "#webapp/kit/study-mode.ts";

/** The chosen bucket is empty: why, and what would fill it. */
export function EmptyBucket({ deck, bucket, bar, leave }: Pick<ModeProps, "deck" | "bucket" | "bar" | "leave">) {
  useModeKeys({ Escape: leave });
  return (
    <StudyFrame deck={deck} bar={bar} onLeave={leave}>
      <EmptyState headingLevel={1} title={t(`modes.none_${bucket}_title`)}>
        {t(`modes.none_${bucket}_text`)}
      </EmptyState>
    </StudyFrame>
  );
}
