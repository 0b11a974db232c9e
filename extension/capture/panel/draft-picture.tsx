import { Plus } from "lucide-react";
import { useState } from "react";
import { middleRegion } from "#shared/flashcards/hiding.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { RegionLabels, RegionStage, useRegions } from "#shared/ui/content/region-stage.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { fill } from "#shared/messages/fill.ts";
import { words } from "#extension/words/words.ts";
import { discard, keepPicture, usePicture } from "../state.ts";
import type { DraftProps } from "./draft-card.tsx";

/** A draft image: each hidden region becomes a card; without regions the image is saved as it is. */
export function DraftPicture({ capture, number }: DraftProps) {
  const [title, setTitle] = useState(capture.title);
  const regions = useRegions();
  const picture = usePicture(capture.id);
  const count = regions.all.length;
  const isWhole = title.trim() !== "" && regions.all.every(({ label }) => label.trim() !== "");
  return (
    <li>
      <form
        className="draft"
        aria-label={fill(words.draft_of, { number, title: capture.title })}
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole) void keepPicture(capture.id, title.trim(), [...regions.all]);
        }}
      >
        <TextField
          label={words.picture_name}
          value={title}
          maxLength={300}
          onChange={(event) => setTitle(event.target.value)}
        />
        <p className="capture-about">{words.picture_help}</p>
        <RegionStage
          label={words.picture_stage}
          regions={regions}
          partLabel={(part) => fill(words.picture_part, { number: part })}
        >
          {picture !== undefined && <img src={picture} alt={capture.title} />}
        </RegionStage>
        <Button icon={<Plus aria-hidden />} onClick={() => regions.add(middleRegion())}>
          {words.picture_add}
        </Button>
        <RegionLabels
          regions={regions}
          fieldLabel={(part) => fill(words.picture_label, { number: part })}
          removeLabel={(part) => fill(words.picture_remove, { number: part })}
        />
        <div className="draft-does">
          <Button type="submit" variant="primary" disabled={!isWhole}>
            {count === 0
              ? words.picture_keep
              : count === 1
                ? words.picture_cards_one
                : fill(words.picture_cards_many, { count })}
          </Button>
          <Button variant="quiet" onClick={() => void discard(capture)}>
            {words.drop}
          </Button>
        </div>
      </form>
    </li>
  );
}
