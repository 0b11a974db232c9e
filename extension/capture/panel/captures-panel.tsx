import { memo, type ReactNode, useId } from "react";
import { interpolate } from "#shared/messages/interpolate.ts";
import { formatShare } from "#shared/messages/language.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { useActiveTab } from "#extension/platform/use-active-tab.ts";
import { SeePlans } from "#extension/ui/see-plans.tsx";
import { words } from "#extension/words/words.ts";
import { CaptionChoice } from "./caption-choice.tsx";
import { CaptureActions } from "./capture-actions.tsx";
import { DraftCard, type DraftProps } from "./draft-card.tsx";
import { DraftPicture } from "./draft-picture.tsx";
import { showCapture } from "./show-source.ts";
import { discard, editAgain, exportWaiting, openInLamplight, sendAgain, useCaptures } from "../state.ts";
import { noticeForTab } from "../save-capture.ts";
import type { Capture } from "../store.ts";
import "./captures-panel.css";

const MAX_SHOWN = 100;
/** Drafts shown at once; more appear as these are saved or dropped. */
const MAX_DRAFTS = 12;

/** Cards can be edited until the server has them. */
const isEditable = ({ card, state }: Capture) => card !== null && (state === "ready" || state === "refused");

interface CaptureAction {
  isAvailable: boolean;
  label: string;
  /** Accessible label; names the capture. */
  labelOf: string;
  run: () => Promise<unknown>;
}

/** Available actions for a capture. */
function listActions(capture: Capture): CaptureAction[] {
  const { state, locator, needsAccess } = capture;
  const hasPosition = locator?.quote !== undefined || locator?.startMs !== undefined || locator?.page !== undefined;
  const retryLabel = needsAccess ? words.allow_site : words.retry;
  return [
    { isAvailable: state === "saved", label: words.open, labelOf: words.open_of, run: () => openInLamplight(capture) },
    { isAvailable: hasPosition, label: words.show, labelOf: words.show_of, run: () => showCapture(capture) },
    {
      isAvailable: state === "refused",
      label: retryLabel,
      labelOf: retryLabel === words.retry ? words.retry_of : words.allow_of,
      run: () => sendAgain(capture),
    },
    { isAvailable: isEditable(capture), label: words.edit, labelOf: words.edit_of, run: () => editAgain(capture.id) },
    {
      isAvailable: state !== "saved" && state !== "sending",
      label: words.discard,
      labelOf: words.discard_of,
      run: () => discard(capture),
    },
  ].filter(({ isAvailable }) => isAvailable);
}

/** Status text of a capture; includes the upload progress of a file. */
function formatStatus({ kind, state, sentShare = 0 }: Capture): string {
  const share = state === "ready" && sentShare > 0 ? ` · ${formatShare(sentShare)}` : "";
  return `${words[`kinds_${kind}`]} · ${words[`state_${state}`]}${share}`;
}

/** The list is reloaded with each gesture; unchanged rows are not rendered again. */
const Row = memo(CaptureRow, (previous, next) => JSON.stringify(previous) === JSON.stringify(next));

function CaptureRow({ capture }: { capture: Capture }) {
  const { kind, title, address, card, problem, isLimit = false, notice } = capture;
  const name = card?.question || title || address;
  return (
    <li className="capture">
      <p className="capture-name">{name}</p>
      <p className="capture-about">{formatStatus(capture)}</p>
      {problem !== null && <p className="capture-problem">{problem}</p>}
      {problem !== null && isLimit && <SeePlans />}
      {notice !== null && <p className="capture-about">{notice}</p>}
      {kind === "video" && <CaptionChoice capture={capture} />}
      <div className="capture-buttons">
        {listActions(capture).map(({ label, labelOf, run }) => (
          <Button
            key={label}
            variant="quiet"
            aria-label={interpolate(labelOf, { title: name })}
            onClick={() => void run()}
          >
            {label}
          </Button>
        ))}
      </div>
    </li>
  );
}

function saveFile(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "lamplight-captures.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

const Draft = (props: DraftProps) =>
  props.capture.kind === "image" ? <DraftPicture {...props} /> : <DraftCard {...props} />;

/** Capture buttons, drafts, and all captures with their status. `children` come before the list, which may be long. */
export function CapturesPanel({ children }: { children: ReactNode }) {
  const capturesState = useCaptures();
  const tab = useActiveTab();
  const heading = useId();
  if (!capturesState) return null;
  const drafts = capturesState.captures.filter(({ state }) => state === "draft");
  const hiddenDrafts = drafts.length - MAX_DRAFTS;
  const others = capturesState.captures.filter(({ state }) => state !== "draft");
  const waiting = others.filter(({ state }) => state !== "saved");
  return (
    <>
      <CaptureActions />
      <p role="status" className="capture-notice">
        {noticeForTab(capturesState.notice, tab?.id)}
      </p>
      {drafts.length > 0 && (
        <section aria-label={words.drafts}>
          <ul role="list" className="drafts">
            {drafts.slice(0, MAX_DRAFTS).map((capture, index) => (
              <Draft key={capture.id} capture={capture} number={index + 1} />
            ))}
          </ul>
          {hiddenDrafts > 0 && (
            <p className="capture-about">
              {hiddenDrafts === 1
                ? words.drafts_more_one
                : interpolate(words.drafts_more_many, { count: hiddenDrafts })}
            </p>
          )}
        </section>
      )}
      {children}
      <section aria-labelledby={heading} className="captures">
        <h2 id={heading}>{words.captures}</h2>
        {waiting.length > 0 && (
          <div className="capture-waiting">
            <p role="status">
              {waiting.length === 1 ? words.waiting_one : interpolate(words.waiting_many, { count: waiting.length })}
            </p>
            <Button variant="quiet" onClick={() => void exportWaiting(capturesState.captures).then(saveFile)}>
              {words.export}
            </Button>
          </div>
        )}
        {others.length === 0 && drafts.length === 0 && <p className="capture-about">{words.captures_none}</p>}
        <ul role="list">
          {others.slice(0, MAX_SHOWN).map((capture) => (
            <Row key={capture.id} capture={capture} />
          ))}
        </ul>
      </section>
    </>
  );
}
