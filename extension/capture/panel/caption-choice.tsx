import { useState } from "react";
import { interpolate } from "#shared/messages/interpolate.ts";
import { Select } from "#shared/ui/controls/select.tsx";
import { words } from "#extension/words/words.ts";
import { runOnActiveTab } from "../gestures/active-tab.ts";
import { readInLanguage } from "../gestures/gesture-video.ts";
import type { Capture } from "../store.ts";

const NONE = "";

/** Caption languages of a video, each once; human captions before automatic ones. */
function listLanguages({ offered = [] }: Capture): { value: string; label: string }[] {
  const labels = new Map<string, string>();
  for (const { language, name } of offered.toSorted((a, b) => Number(a.isGenerated) - Number(b.isGenerated)))
    if (!labels.has(language)) labels.set(language, name || language);
  return [...labels].map(([value, label]) => ({ value, label }));
}

/** Chooses the caption language; shown if the video has several. */
export function CaptionChoice({ capture }: { capture: Capture }) {
  const [isReading, setReading] = useState(false);
  const languages = listLanguages(capture);
  if (languages.length < 2) return null;
  const current = languages.some(({ value }) => value === capture.language) ? (capture.language ?? NONE) : NONE;
  const choose = async (language: string) => {
    setReading(true);
    await runOnActiveTab((tab) => readInLanguage(tab.id, capture, language));
    setReading(false);
  };
  return (
    <>
      <Select
        label={interpolate(words.captions_of, { title: capture.title })}
        labelHidden
        value={current}
        disabled={isReading}
        options={[...(current === NONE ? [{ value: NONE, label: words.captions_unread }] : []), ...languages]}
        onValue={(language) => void choose(language)}
      />
      <p role="status" className="capture-about">
        {isReading ? words.captions_reading : ""}
      </p>
    </>
  );
}
