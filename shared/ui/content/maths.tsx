import { useEffect, useRef, useState } from "react";
import { renderFormula } from "./katex.ts";

interface Props {
  latex: string;
  /** Display style, on a line of its own. */
  display?: boolean;
  /** Called with KaTeX's error message, or null once the formula is rendered. */
  onTrouble?: (trouble: string | null) => void;
}

/** A formula rendered by KaTeX, which is loaded with the first one; shows its source until then and on errors. */
export function Maths({ latex, display = false, onTrouble }: Props) {
  const ref = useRef<HTMLSpanElement>(null);
  const [isSet, setSet] = useState(false);
  useEffect(() => {
    let isActive = true;
    const renderIntoElement = async () => {
      if (!ref.current) return;
      const trouble = await renderFormula(ref.current, latex, { display, isActive: () => isActive });
      if (trouble === undefined) return;
      setSet(trouble === null);
      onTrouble?.(trouble);
    };
    renderIntoElement().catch(() => undefined);
    return () => {
      isActive = false;
    };
  }, [latex, display, onTrouble]);
  return (
    // Always left to right, excluded from the detection of the text direction.
    <span ref={ref} dir="ltr" className={isSet ? "maths" : "maths maths-source"} data-display={display}>
      {latex}
    </span>
  );
}
