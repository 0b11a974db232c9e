import { Fragment, type CSSProperties, type ReactNode } from "react";
import { isColor } from "#shared/pages/runs.ts";
import type { Run } from "#shared/pages/schema.ts";
import { splitFormulas } from "#shared/text/formulas.ts";
import { Maths } from "#shared/ui/content/maths.tsx";
import "./highlight-colors.css";

/** Only these link schemes are allowed. Other links are shown as text. */
const isAllowedLink = (target: string) => /^(?:https?:|mailto:)/i.test(target);

/** A custom text colour, as in the editor. */
function Coloured({ color, children }: { color: string; children: ReactNode }) {
  const style: CSSProperties & Record<"--run-color", string> = { "--run-color": color };
  return (
    <span className="page-color" style={style}>
      {children}
    </span>
  );
}

function applyFormatting({ attributes = {} }: Run, inner: ReactNode): ReactNode {
  let shown = inner;
  if (attributes.inline_code) shown = <code className="code">{shown}</code>;
  if (attributes.bold) shown = <strong>{shown}</strong>;
  if (attributes.italic) shown = <em>{shown}</em>;
  if (attributes.underline) shown = <u>{shown}</u>;
  if (attributes.strikethrough) shown = <s>{shown}</s>;
  if (attributes.color !== undefined && isColor(attributes.color))
    shown = <Coloured color={attributes.color}>{shown}</Coloured>;
  return shown;
}

/** Text with rendered formulas. In code, dollar signs do not start a formula. */
function PlainRun({ text, isCode }: { text: string; isCode: boolean }): ReactNode {
  if (isCode || !text.includes("$")) return text;
  return splitFormulas(text).map((piece, index) =>
    piece.isFormula ? <Maths key={index} latex={piece.text} /> : <Fragment key={index}>{piece.text}</Fragment>,
  );
}

function RunText({ run }: { run: Run }) {
  const { content, attributes, reference } = run;
  const inner =
    typeof content === "string" ? (
      <PlainRun text={content} isCode={attributes?.inline_code === true} />
    ) : (
      <Runs runs={content} />
    );
  const shown = applyFormatting(run, inner);
  if (reference?.kind !== "link" || !isAllowedLink(reference.target)) return shown;
  return (
    <a href={reference.target} target="_blank" rel="noopener noreferrer nofollow ugc">
      {shown}
    </a>
  );
}

/** Renders the runs of a text outside the editor. */
export function Runs({ runs }: { runs: readonly Run[] }) {
  return runs.map((run, index) => (
    // A run has no other identity than its index.
    <Fragment key={index}>
      <RunText run={run} />
    </Fragment>
  ));
}
