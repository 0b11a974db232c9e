import { useEffect, useRef, useState } from "react";
import "./maths.css";

interface Props {
  latex: string;
  /** On a line of its own, in the size for one. */
  display?: boolean;
  /** Told what is wrong with the formula, in the words of its reader; null once it can be set. */
  onTrouble?: (trouble: string | null) => void;
}

const load = async () => {
  const [{ default: katex }] = await Promise.all([import("katex"), import("katex/dist/katex.min.css")]);
  return katex;
};

/** What a formula may grow to: a few letters could otherwise ask for gigabytes. */
const LIMITS = { maxExpand: 1000, maxSize: 40, trust: false, strict: "ignore" } as const;

/** A formula set by KaTeX, which is fetched with the first one; until then, and where it cannot be set, its source. */
export function Maths({ latex, display = false, onTrouble }: Props) {
  const ref = useRef<HTMLSpanElement>(null);
  const [isSet, setSet] = useState(false);
  useEffect(() => {
    let isWanted = true;
    const set = async () => {
      const katex = await load();
      const place = ref.current;
      if (!isWanted || !place) return;
      try {
        katex.render(latex, place, { displayMode: display, throwOnError: true, ...LIMITS });
        setSet(true);
        onTrouble?.(null);
      } catch (error) {
        place.textContent = latex;
        setSet(false);
        onTrouble?.(error instanceof Error ? error.message.replace(/^KaTeX parse error: /, "") : String(error));
      }
    };
    set().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [latex, display, onTrouble]);
  return (
    // From left to right in a text of any direction, and none of the letters by which that is told.
    <span ref={ref} dir="ltr" className={isSet ? "maths" : "maths maths-source"} data-display={display}>
      {latex}
    </span>
  );
}
