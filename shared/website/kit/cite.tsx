import { renderToString } from "katex";
import { Fragment, useState } from "react";
import { toMathml } from "#shared/ui/content/formula-limits.ts";
import { kitText } from "./texts.ts";

interface Cited {
  label?: string;
  source?: string;
}

/** Where a line comes from: a badge with the page, which shows the source's title when it is pressed. */
export function Cite({ label = "", source = "" }: Cited) {
  const [isOpen, setOpen] = useState(false);
  if (label === "") return null;
  return (
    <span className="lk-cite">
      <button type="button" aria-expanded={isOpen} title={source} onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
      {isOpen && <span className="lk-cite-source">{kitText("from", { source })}</span>}
    </span>
  );
}

const FORMULA = /\$([^$\n]+)\$/g;

function Formula({ latex }: { latex: string }) {
  const html = toMathml(renderToString, latex, false);
  // KaTeX escapes its output, and a site can access only its own files.
  return html === undefined ? <>{`$${latex}$`}</> : <span dangerouslySetInnerHTML={{ __html: html }} />;
}

const isFormula = (latex: string) => /[\\^_={}+]|^[A-Za-z]$/.test(latex);

/** Text with formulas between dollar signs. */
export function Words({ text }: { text: string }) {
  const pieces = text.split(FORMULA);
  return (
    <>
      {pieces.map((piece, index) => {
        if (index % 2 === 0) return <Fragment key={index}>{piece}</Fragment>;
        return isFormula(piece) ? (
          <Formula key={index} latex={piece} />
        ) : (
          <Fragment key={index}>{`$${piece}$`}</Fragment>
        );
      })}
    </>
  );
}
