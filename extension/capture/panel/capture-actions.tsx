import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { parsePageRange } from "#shared/capture/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { MenuList } from "#shared/ui/overlays/menu-list.tsx";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { words } from "#extension/words/words.ts";
import { runInTopFrame } from "#extension/platform/tab-scripts.ts";
import { useActiveTab } from "#extension/platform/use-active-tab.ts";
import { runOnActiveTab } from "../gestures/active-tab.ts";
import { tabContentOf } from "../gestures/tab-content.ts";
import { captureRegion } from "../gestures/gesture-image.ts";
import { captureClip, captureVideo } from "../gestures/gesture-video.ts";
import { captureSelection, captureTab } from "../gestures/gesture.ts";
import type { CardRequest } from "../store.ts";

const captureActiveTab = (wants?: CardRequest) => runOnActiveTab((tab) => captureTab(tab, wants ? { wants } : {}));

/** Asks for the page range of a PDF to make cards from. */
function PdfPages({ onChosen, onLeave }: { onChosen: (wants: CardRequest) => void; onLeave: () => void }) {
  const [text, setText] = useState("");
  const range = parsePageRange(text);
  const isBad = text.trim() !== "" && !range;
  return (
    <form
      className="capture-pages"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBad) onChosen(range ?? {});
      }}
    >
      <TextField
        label={words.pdf_pages}
        hint={words.pdf_pages_hint}
        error={isBad ? words.pdf_pages_bad : undefined}
        value={text}
        autoFocus
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <div className="capture-buttons">
        <Button type="submit" variant="primary" disabled={isBad}>
          {words.make_cards}
        </Button>
        <Button variant="quiet" onClick={onLeave}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Capture buttons for the active tab: the two most common ones, and a menu with the others. */
export function CaptureActions() {
  const address = useActiveTab()?.url;
  const content = tabContentOf(address);
  /** The PDF whose pages are being chosen; another tab must not get its pages. */
  const [asked, setAsked] = useState<string>();
  const makeCards = content === "pdf" ? () => setAsked(address) : () => void captureActiveTab({});
  const videoItem = { label: words.menu_video, onSelect: () => void runOnActiveTab(({ id }) => captureVideo(id)) };
  const moreItems: MenuItem[] = [
    { label: words[`cards_of_${content}`], onSelect: makeCards },
    ...(content === "page" ? [videoItem] : []),
    { label: words.menu_clip, onSelect: () => void runOnActiveTab(({ id }) => captureClip(id)) },
    { label: words.menu_region, onSelect: () => void runOnActiveTab(captureRegion) },
    { label: words.menu_bar, onSelect: () => void runOnActiveTab(({ id }) => runInTopFrame(id, "capture-bar")) },
  ];
  return (
    <>
      <div className="capture-actions" role="group" aria-label={words.actions}>
        <Button variant="primary" onClick={() => void runOnActiveTab(({ id }) => captureSelection(id))}>
          {words.capture_card}
        </Button>
        <Button onClick={() => void captureActiveTab()}>{words[`capture_${content}`]}</Button>
        <MenuList trigger={<IconButton label={words.more} icon={<Ellipsis aria-hidden />} />} groups={[moreItems]} />
      </div>
      {asked !== undefined && asked === address && (
        <PdfPages
          onLeave={() => setAsked(undefined)}
          onChosen={(wants) => {
            setAsked(undefined);
            void captureActiveTab(wants);
          }}
        />
      )}
    </>
  );
}
