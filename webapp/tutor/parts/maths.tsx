import { useEffect, useRef } from "react";

/** A formula as MathML; until the library is there, and where it cannot be read, as it was written. */
export function Maths({ latex, isBlock }: { latex: string; isBlock: boolean }) {
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let isGone = false;
    const draw = async () => {
      const { default: katex } = await import("katex");
      if (isGone || !ref.current) return;
      katex.render(latex, ref.current, { output: "mathml", displayMode: isBlock, throwOnError: false, maxExpand: 200 });
    };
    void draw();
    return () => {
      isGone = true;
    };
  }, [latex, isBlock]);
  return (
    <span ref={ref} className={isBlock ? "tutor-maths tutor-maths-block" : "tutor-maths"}>
      {latex}
    </span>
  );
}
