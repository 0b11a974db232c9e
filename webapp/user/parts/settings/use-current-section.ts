import { useEffect, useRef, useState, type RefObject } from "react";

/** A section is the current one once its top is in this upper part of the window. */
const READING_LINE = 0.3;

function findCurrent(container: HTMLElement): string | undefined {
  const sections = [...container.querySelectorAll<HTMLElement>(":scope > [id]")].filter(({ hidden }) => !hidden);
  const { scrollHeight } = document.documentElement;
  // At the end, the last section is current, because it may be too short to reach the line.
  const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2;
  const passed = sections.findLast(
    (section) => section.getBoundingClientRect().top <= window.innerHeight * READING_LINE,
  );
  return (isAtEnd ? sections.at(-1) : (passed ?? sections[0]))?.id;
}

/** The id of the section that is being read, updated on scroll. `container` is the element around all sections. */
export function useCurrentSection(): { container: RefObject<HTMLDivElement | null>; current: string | undefined } {
  const container = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    let frame = 0;
    const update = () => {
      frame = 0;
      if (container.current) setCurrent(findCurrent(container.current));
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(update);
    };
    schedule();
    window.addEventListener("scroll", schedule, { passive: true });
    window.addEventListener("resize", schedule);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", schedule);
      window.removeEventListener("resize", schedule);
    };
  }, []);
  return { container, current };
}
