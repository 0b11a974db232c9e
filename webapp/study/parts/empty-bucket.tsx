import { useModeKeys } from "#webapp/kit/use-mode-keys.ts";
import { NoneInBucket } from "#webapp/kit/none-in-bucket.tsx";
import { StudyFrame } from "#webapp/kit/study-frame.tsx";
import type { ModeProps } from "#webapp/kit/study-mode.ts";

/** The empty state of a bucket: why it is empty and what would fill it. */
export function EmptyBucket(props: ModeProps) {
  const { deck, bar, leave } = props;
  useModeKeys({ Escape: leave });
  return (
    <StudyFrame deck={deck} bar={bar} onLeave={leave}>
      <NoneInBucket {...props} />
    </StudyFrame>
  );
}
