import { useEffect, useRef, useState } from "react";
import { renderFormula } from "./katex.ts";

interface Props {
  latex: string;
  /** Display style, on a line of its own. */
  display?: boolean;
  /** Called with KaTeX's error message, or null once the formula is rendered. */
  onTrouble?: (errorMessage: string | null) => void;
}

/** A formula rendered by KaTeX, which is loaded with the first formula. Shows its source until then and on errors. */
export function Maths({ latex, display = false, onTrouble }: Props) {
  const ref = useRef<HTMLSpanElement>(null);
  const [isRendered, setRendered] = useState(false);
  useEffect(() => {
    let isActive = true;
    const renderIntoElement = async () => {
      if (!ref.current) return;
      const errorMessage = await renderFormula(ref.current, latex, { display, isActive: () => isActive });
      if (errorMessage === undefined) return;
      setRendered(errorMessage === null);
      onTrouble?.(errorMessage);
    };
    renderIntoElement().catch(() => undefined);
    return () => {
      isActive = false;
    };
  }, [latex, display, onTrouble]);
  return (
    // Always left to right, excluded from the detection of the text direction.
    <span ref={ref} dir="ltr" className={isRendered ? "maths" : "maths maths-source"} data-display={display}>
      {latex}
    </span>
  );
}
