import { useEffect, useRef, useState } from "react";
import { z } from "zod";

/** What a site reports to the frame around it; everything in it was written by the site. */
const Report = z.discriminatedUnion("type", [
  z.object({
    lamplight: z.literal("site"),
    type: z.enum(["error", "blocked", "painted", "blank"]),
    text: z.string().max(2000),
  }),
  z.object({
    lamplight: z.literal("site"),
    type: z.literal("storage"),
    kind: z.enum(["localStorage", "sessionStorage"]),
    entries: z.record(z.string(), z.string()),
  }),
]);

export interface ConsoleLine {
  type: "error" | "blocked";
  text: string;
}

const MAX_LINES = 50;
const MAX_STORED_CHARS = 200_000;

export interface PreviewReports {
  lines: readonly ConsoleLine[];
  frame: React.RefObject<HTMLIFrameElement | null>;
  /** The storage of the site, as the name of its next window. */
  storedName: () => string;
}

/** Collects what the site in a frame reports; another build begins anew. Its storage lasts as long as the screen. */
export function usePreviewReports(build: string): PreviewReports {
  const frame = useRef<HTMLIFrameElement>(null);
  const stored = useRef<Record<string, Record<string, string>>>({});
  const [found, setFound] = useState<{ build: string; lines: readonly ConsoleLine[] }>({ build, lines: [] });
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      // The origin of a site is opaque: "null" says nothing, the window does.
      if (source === null || source !== frame.current?.contentWindow) return;
      const report = Report.safeParse(data).data;
      if (!report) return;
      if (report.type === "storage") {
        if (JSON.stringify(report.entries).length <= MAX_STORED_CHARS) stored.current[report.kind] = report.entries;
      } else if (report.type === "error" || report.type === "blocked") {
        const line = { type: report.type, text: report.text };
        setFound((before) => {
          const lines = before.build === build ? before.lines : [];
          return { build, lines: [...lines, line].slice(-MAX_LINES) };
        });
      }
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, [build]);
  return {
    frame,
    lines: found.build === build ? found.lines : [],
    storedName: () => JSON.stringify(stored.current),
  };
}
