import { useAtom } from "jotai/react";
import { lazy, Suspense } from "react";
import { cardDraftAtom } from "./card-draft.ts";

const CardDraftPopover = lazy(async () => ({
  default: (await import("./parts/card-draft-popover.tsx")).CardDraftPopover,
}));

/** Shows the card draft. Mounted on every screen on which cards can be made from a selection. */
export function CardDraftHost() {
  const [draft, setDraft] = useAtom(cardDraftAtom);
  if (!draft) return null;
  return (
    <Suspense fallback={null}>
      <CardDraftPopover key={draft.citation} draft={draft} onClose={() => setDraft(null)} />
    </Suspense>
  );
}
