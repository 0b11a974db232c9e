import { Plus } from "lucide-react";
import { useState } from "react";
import { middleRegion } from "#shared/flashcards/occlusion-regions.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { RegionLabels, RegionEditor, useRegions } from "#shared/ui/content/region-editor.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { interpolate } from "#shared/messages/interpolate.ts";
import { words } from "#extension/words/words.ts";
import { discard, savePicture, usePicture } from "../state.ts";
import type { DraftProps } from "./draft-card.tsx";

/** A draft image: each hidden region becomes a card; without regions the image is saved as it is. */
export function DraftPicture({ capture, number }: DraftProps) {
  const [title, setTitle] = useState(capture.title);
  const regions = useRegions();
  const picture = usePicture(capture.id);
  const count = regions.all.length;
  const isComplete = title.trim() !== "" && regions.all.every(({ label }) => label.trim() !== "");
  return (
    <li>
      <form
        className="draft"
        aria-label={interpolate(words.draft_of, { number, title: capture.title })}
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) void savePicture(capture.id, title.trim(), [...regions.all]);
        }}
      >
        <TextField
          label={words.picture_name}
          value={title}
          maxLength={300}
          onChange={(event) => setTitle(event.target.value)}
        />
        <p className="capture-about">{words.picture_help}</p>
        <RegionEditor
          label={words.picture_stage}
          regions={regions}
          partLabel={(part) => interpolate(words.picture_part, { number: part })}
        >
          {picture !== undefined && <img src={picture} alt={capture.title} />}
        </RegionEditor>
        <Button icon={<Plus aria-hidden />} onClick={() => regions.add(middleRegion())}>
          {words.picture_add}
        </Button>
        <RegionLabels
          regions={regions}
          fieldLabel={(part) => interpolate(words.picture_label, { number: part })}
          removeLabel={(part) => interpolate(words.picture_remove, { number: part })}
        />
        <div className="draft-actions">
          <Button type="submit" variant="primary" disabled={!isComplete}>
            {count === 0
              ? words.picture_save
              : count === 1
                ? words.picture_cards_one
                : interpolate(words.picture_cards_many, { count })}
          </Button>
          <Button variant="quiet" onClick={() => void discard(capture)}>
            {words.drop}
          </Button>
        </div>
      </form>
    </li>
  );
}
