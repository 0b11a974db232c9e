import { useEffect, useRef, useState } from "react";
import "./maths.css";

interface Props {
  latex: string;
  /** Display style, on a line of its own. */
  display?: boolean;
  /** Called with KaTeX's error message, or null once the formula is rendered. */
  onTrouble?: (trouble: string | null) => void;
}

const loadKatex = async () => {
  const [{ default: katex }] = await Promise.all([import("katex"), import("katex/dist/katex.min.css")]);
  return katex;
};

/** Limits a formula's expansion: a few letters could otherwise need gigabytes of memory. */
const LIMITS = { maxExpand: 1000, maxSize: 40, trust: false, strict: "ignore" } as const;

/** A formula rendered by KaTeX, which is loaded with the first one; shows its source until then and on errors. */
export function Maths({ latex, display = false, onTrouble }: Props) {
  const ref = useRef<HTMLSpanElement>(null);
  const [isSet, setSet] = useState(false);
  useEffect(() => {
    let isActive = true;
    const renderFormula = async () => {
      const katex = await loadKatex();
      const element = ref.current;
      if (!isActive || !element) return;
      try {
        katex.render(latex, element, { displayMode: display, throwOnError: true, ...LIMITS });
        setSet(true);
        onTrouble?.(null);
      } catch (error) {
        element.textContent = latex;
        setSet(false);
        onTrouble?.(error instanceof Error ? error.message.replace(/^KaTeX parse error: /, "") : String(error));
      }
    };
    renderFormula().catch(() => undefined);
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
