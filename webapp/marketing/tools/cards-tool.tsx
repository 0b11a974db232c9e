import { ToolCardList } from "./card-list.tsx";
import { FileSource } from "./file-source.tsx";
import { TextSource } from "./text-source.tsx";
import { useCards } from "./use-cards.ts";
import { useReady } from "./use-ready.ts";
import { YoutubeSource } from "./youtube-source.tsx";

export type CardsSource = "text" | "hand" | "pdf" | "image" | "office" | "youtube";

/** Flashcards from one kind of source, in this tab: the source on one side, the cards on the other. */
export function CardsTool({ source }: { source: CardsSource }) {
  useReady();
  const cards = useCards(source === "hand");
  if (source === "hand")
    return (
      <div className="tool tool-single">
        <ToolCardList cards={cards} />
      </div>
    );
  return (
    <div className="tool">
      <div className="tool-source">
        {source === "text" && <TextSource cards={cards} />}
        {source === "youtube" && <YoutubeSource cards={cards} />}
        {source !== "text" && source !== "youtube" && <FileSource kind={source} cards={cards} />}
      </div>
      <ToolCardList cards={cards} />
    </div>
  );
}
