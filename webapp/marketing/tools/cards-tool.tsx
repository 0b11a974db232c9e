import { ToolCardList } from "./card-list.tsx";
import { FileSource } from "./file-source.tsx";
import { LocalNote } from "./local-note.tsx";
import { TextSource } from "./text-source.tsx";
import { useCards, type CardsSource } from "./use-cards.ts";
import { useReady } from "./use-ready.ts";
import { word } from "./words.ts";
import { YoutubeSource } from "./youtube-source.tsx";

/** Makes flashcards from one kind of source in this tab, with the source on one side and the cards on the other. */
export function CardsTool({ source }: { source: CardsSource }) {
  useReady();
  const cards = useCards(source);
  if (source === "hand")
    return (
      <div className="tool tool-single">
        <ToolCardList cards={cards} tool={source} />
      </div>
    );
  return (
    <div className="tool">
      <div className="tool-source">
        {source === "text" && <TextSource cards={cards} />}
        {source === "youtube" && <YoutubeSource cards={cards} />}
        {source !== "text" && source !== "youtube" && <FileSource kind={source} cards={cards} />}
      </div>
      <ToolCardList cards={cards} tool={source} />
      <div className="tool-more">
        <Privacy source={source} />
      </div>
    </div>
  );
}

/** Explains how the source is processed. On a small screen this comes after the cards. */
function Privacy({ source }: { source: CardsSource }) {
  if (source === "youtube") return <LocalNote text={word("youtube_private")} />;
  return <LocalNote title={word(source === "text" ? "private_words" : "private_title")} text={word("private_text")} />;
}
