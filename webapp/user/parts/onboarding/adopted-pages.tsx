import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { adoptedPagesAtom } from "#webapp/flashcards/pending/adopted-pages.ts";

/** The pages with what the student brought from a free tool, to begin with one of them. */
export function AdoptedPages({ onOpen }: { onOpen: (pageId: string) => void }) {
  const pages = useAtomValue(adoptedPagesAtom);
  return (
    <div role="status">
      {pages.map(({ pageId, message }, index) => (
        <p key={pageId} className="welcome-adopted">
          <span>{message}</span>
          <Button variant={index === 0 ? "primary" : "secondary"} onClick={() => onOpen(pageId)}>
            {t("welcome.open_adopted")}
          </Button>
        </p>
      ))}
    </div>
  );
}
