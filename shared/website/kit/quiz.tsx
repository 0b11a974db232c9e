import { useState } from "react";
import type { SiteItem } from "../schema.ts";
import { Cite, Words } from "./cite.tsx";
import { useProgress } from "./progress.ts";
import { kitText } from "./texts.ts";

interface Run {
  at: number;
  right: number;
}

/** Questions with answers to choose from. */
export function SiteQuiz({ id = "quiz", items }: { id?: string; items: readonly SiteItem[] }) {
  const [run, setRun] = useProgress<Run>(id, { at: 0, right: 0 });
  const [chosen, setChosen] = useState<string>();
  const item = items[run.at];
  if (items.length === 0) return <p className="lk-empty">{kitText("empty")}</p>;
  if (!item)
    return (
      <div className="lk-study">
        <p className="lk-result">{kitText("result", { n: run.right, all: items.length })}</p>
        <button type="button" className="lk-button" onClick={() => setRun({ at: 0, right: 0 })}>
          {kitText("quiz_again")}
        </button>
      </div>
    );
  const isRight = chosen === item.answer;
  const advance = () => {
    setRun({ at: run.at + 1, right: run.right + (isRight ? 1 : 0) });
    setChosen(undefined);
  };
  return (
    <div className="lk-study">
      <p className="lk-count">{kitText("question", { n: run.at + 1, all: items.length })}</p>
      <p className="lk-question">
        <Words text={item.text} />
      </p>
      <ul className="lk-options">
        {(item.options ?? []).map((option) => (
          <li key={option}>
            <button
              type="button"
              className="lk-option"
              aria-pressed={option === chosen}
              data-state={chosen === undefined ? "open" : stateOf(option, chosen, item.answer)}
              disabled={chosen !== undefined}
              onClick={() => setChosen(option)}
            >
              <Words text={option} />
            </button>
          </li>
        ))}
      </ul>
      <div aria-live="polite">
        {chosen !== undefined && (
          <p className="lk-verdict">
            {isRight ? kitText("right") : kitText("wrong", { answer: item.answer ?? "" })} <Cite {...item} />
          </p>
        )}
      </div>
      {chosen !== undefined && (
        <button type="button" className="lk-button lk-primary" onClick={advance}>
          {kitText("next")}
        </button>
      )}
    </div>
  );
}

function stateOf(option: string, chosen: string, answer: string | undefined): "right" | "wrong" | "other" {
  if (option === answer) return "right";
  return option === chosen ? "wrong" : "other";
}
