import type { FileContent } from "#shared/pages/schema.ts";
import { PlayerOf } from "./player.tsx";
import "../video-screen.css";

/** The player inside a page. */
export const InlinePlayer = ({ id, content }: { id: string; content: FileContent }) => (
  <div className="video-block-player">
    <PlayerOf id={id} content={content} />
  </div>
);
