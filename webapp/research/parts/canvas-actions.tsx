import { FilePlus2, Headphones, Sparkle } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { makePageFromCanvas } from "../make-page.ts";

/** Buttons that make a page, cards or a podcast from the result. */
export function CanvasActions({ session }: { session: ResearchSession }) {
  const [isMaking, setMaking] = useState(false);
  const make = async (opens: "page" | "cards") => {
    setMaking(true);
    await makePageFromCanvas(session, opens);
    setMaking(false);
  };
  return (
    <div className="research-actions">
      <Button icon={<FilePlus2 aria-hidden />} pending={isMaking} onClick={() => void make("page")}>
        {t("research.make_page")}
      </Button>
      <Button icon={<Sparkle aria-hidden />} pending={isMaking} onClick={() => void make("cards")}>
        {t("research.make_cards")}
      </Button>
      {!session.read_only && (
        <Button
          icon={<Headphones aria-hidden />}
          onClick={() => openPodcastDialog([{ type: "research", id: session._id }])}
        >
          {t("podcasts.make")}
        </Button>
      )}
    </div>
  );
}
