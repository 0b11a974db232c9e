import type { Cards } from "./use-cards.ts";
import { word } from "./words.ts";

/** The current step, the result, or the problem. */
export function PhaseLine({ cards: { phase, stop, list, add } }: { cards: Cards }) {
  return (
    <div className="tool-phase" role={phase.kind === "failed" ? "alert" : "status"} data-kind={phase.kind}>
      {phase.kind === "working" && (
        <>
          <span>{phase.text}…</span>
          <button type="button" className="button button-quiet" onClick={stop}>
            {word("stop")}
          </button>
        </>
      )}
      {phase.kind === "done" && (
        <p>
          {phase.text} {phase.note}{" "}
          {list.length === 0 && (
            <button type="button" className="button button-quiet" onClick={add}>
              {word("write_card")}
            </button>
          )}
        </p>
      )}
      {phase.kind === "done" && phase.readText !== undefined && (
        <details className="tool-read">
          <summary>{word("show_read")}</summary>
          <p dir="auto">{phase.readText}</p>
        </details>
      )}
      {phase.kind === "failed" && <p>{phase.problem}</p>}
    </div>
  );
}
