import type { ReactNode } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import "./hidden-picture.css";

const percent = (share: number) => `${share * 100}%`;

interface Props {
  occlusion: NonNullable<Flashcard["occlusion"]>;
  isRevealed: boolean;
  /** The accessible name of the hidden region. */
  askedLabel: string;
  /** The picture. */
  children: ReactNode;
}

/** A picture with covered regions: the one asked for stays covered until it is revealed. */
export function HiddenPicture({ occlusion, isRevealed, askedLabel, children }: Props) {
  const { regions, regionId, hidesAll } = occlusion;
  const covered = regions.filter(({ id }) => id === regionId || hidesAll === true);
  return (
    <span className="hidden-picture">
      {children}
      {covered.map(({ id, x, y, w, h }) => {
        const isAsked = id === regionId;
        const place = { left: percent(x), top: percent(y), width: percent(w), height: percent(h) };
        const state = isAsked ? (isRevealed ? "shown" : "asked") : "other";
        return (
          <span key={id} className="hidden-part" data-state={state} style={place}>
            {state === "asked" && <span aria-label={askedLabel}>?</span>}
          </span>
        );
      })}
    </span>
  );
}
