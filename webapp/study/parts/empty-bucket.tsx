import { useModeKeys } from "../use-mode-keys.ts";
import { EmptyBucketState } from "../empty-bucket-state.tsx";
import { StudyFrame } from "../study-frame.tsx";
import type { ModeProps } from "../study-mode.ts";

/** The screen of a study mode whose bucket is empty. */
export function EmptyBucket(props: ModeProps) {
  const { deck, modeBar, leave } = props;
  useModeKeys({ Escape: leave });
  return (
    <StudyFrame deck={deck} modeBar={modeBar} onLeave={leave}>
      <EmptyBucketState {...props} />
    </StudyFrame>
  );
}
