import { useEffect, useId, useRef, useState } from "react";
import type { LookupKind } from "#shared/marketing/references.ts";
import { word } from "../tools/words.ts";
import { fetchLookupKinds, type FoundSource, lookUpReference, type LookupProblem } from "./look-up-reference.ts";

type Phase = "idle" | "working" | "done" | LookupProblem;

const listKinds = (kinds: readonly LookupKind[]): string => {
  const names = kinds.map((kind) => word(`lookup_${kind}`));
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word("lookup_or")} ${last}`;
};

/** Fills the form from a DOI, an ISBN or a web address; shown only where the operator allows it. */
export function CitationLookup({ fill }: { fill: (found: FoundSource) => void }) {
  const [kinds, setKinds] = useState<readonly LookupKind[]>([]);
  useEffect(() => void fetchLookupKinds().then(setKinds), []);
  return kinds.length === 0 ? null : <LookupForm kinds={kinds} fill={fill} />;
}

function LookupForm({ kinds, fill }: { kinds: readonly LookupKind[]; fill: (found: FoundSource) => void }) {
  const [identifier, setIdentifier] = useState("");
  const [phase, setPhase] = useState<Phase>("idle");
  const work = useRef<AbortController>(undefined);
  const id = useId();
  useEffect(() => () => work.current?.abort(), []);
  const search = async () => {
    const control = new AbortController();
    work.current = control;
    setPhase("working");
    const result = await lookUpReference(identifier, kinds, control.signal);
    if (control.signal.aborted) return;
    if (typeof result === "string") return setPhase(result);
    fill(result);
    setIdentifier("");
    return setPhase("done");
  };
  const cancel = () => {
    work.current?.abort();
    setPhase("idle");
  };
  return (
    <form
      className="tool-form"
      onSubmit={(event) => {
        event.preventDefault();
        void search();
      }}
    >
      <label htmlFor={id}>{word("lookup_label", { kinds: listKinds(kinds) })}</label>
      <div className="citation-lookup">
        <input
          id={id}
          value={identifier}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setIdentifier(event.target.value)}
        />
        <button
          type="submit"
          className="button button-secondary"
          disabled={phase === "working" || identifier.trim() === ""}
        >
          {word("lookup_button")}
        </button>
      </div>
      <p className="tool-hint" id={`${id}-hint`}>
        {word("lookup_private")}
      </p>
      <LookupPhase phase={phase} kinds={kinds} cancel={cancel} />
    </form>
  );
}

function LookupPhase({ phase, kinds, cancel }: { phase: Phase; kinds: readonly LookupKind[]; cancel: () => void }) {
  if (phase === "idle") return null;
  if (phase === "working" || phase === "done")
    return (
      <div className="tool-phase" role="status">
        <span>{word(`lookup_${phase}`)}</span>
        {phase === "working" && (
          <button type="button" className="button button-quiet" onClick={cancel}>
            {word("stop")}
          </button>
        )}
      </div>
    );
  return (
    <div className="tool-phase" role="alert" data-kind="failed">
      <p>{word(`lookup_${phase}`, { kinds: listKinds(kinds) })}</p>
    </div>
  );
}
