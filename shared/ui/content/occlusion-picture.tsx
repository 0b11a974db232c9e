import type { ReactNode } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import "./occlusion-picture.css";

const percent = (share: number) => `${share * 100}%`;

interface Props {
  occlusion: NonNullable<Flashcard["occlusion"]>;
  isRevealed: boolean;
  /** The accessible name of the hidden region. */
  targetLabel: string;
  /** The picture. */
  children: ReactNode;
}

/** A picture with covered regions. The region that the card asks for stays covered until it is revealed. */
export function HiddenPicture({ occlusion, isRevealed, targetLabel, children }: Props) {
  const { regions, regionId, hidesAll } = occlusion;
  const covered = regions.filter(({ id }) => id === regionId || hidesAll === true);
  return (
    <span className="hidden-picture">
      {children}
      {covered.map(({ id, x, y, w, h }) => {
        const isTarget = id === regionId;
        const position = { left: percent(x), top: percent(y), width: percent(w), height: percent(h) };
        const state = isTarget ? (isRevealed ? "shown" : "asked") : "other";
        return (
          <span key={id} className="hidden-part" data-state={state} style={position}>
            {state === "asked" && <span aria-label={targetLabel}>?</span>}
          </span>
        );
      })}
    </span>
  );
}
