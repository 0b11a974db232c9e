import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import type { PreviewReport } from "#shared/website/schema.ts";
import { PreviewReporter } from "./preview-reporter.ts";

/** What a site reports to the app; everything in it was written by the site. */
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
/** A site that reports an error in each frame would keep the screen busy for ever. */
const MAX_RECEIVED = 500;
const MAX_STORED_CHARS = 200_000;

export interface PreviewReports {
  lines: readonly ConsoleLine[];
  frame: React.RefObject<HTMLIFrameElement | null>;
  /** The storage of the site as a window name: a sandboxed site has no storage of its own. */
  serialiseStorage: () => string;
}

interface ShownBuild {
  /** Names the frame in which the build is shown. */
  key: string;
  build: number;
  /** Receives what the agent may know of the build; must be stable. */
  onReport: (report: PreviewReport) => void;
}

/** Collects what the site in a frame reports; another build resets the console. Its storage lasts as long as the screen. */
export function usePreviewReports({ key, build, onReport }: ShownBuild): PreviewReports {
  const frame = useRef<HTMLIFrameElement>(null);
  const stored = useRef<Record<string, Record<string, string>>>({});
  const [found, setFound] = useState<{ key: string; lines: readonly ConsoleLine[] }>({ key, lines: [] });
  useEffect(() => {
    const reporter = new PreviewReporter(build, onReport);
    let received = 0;
    const onMessage = ({ source, data }: MessageEvent) => {
      // The origin of a site is opaque: "null" says nothing, the window does.
      if (source === null || source !== frame.current?.contentWindow) return;
      const report = Report.safeParse(data).data;
      if (!report) return;
      if (report.type === "storage") {
        if (JSON.stringify(report.entries).length <= MAX_STORED_CHARS) stored.current[report.kind] = report.entries;
      } else if (report.type === "error" || report.type === "blocked") {
        received += 1;
        if (received > MAX_RECEIVED) return;
        const line = { type: report.type, text: report.text };
        reporter.addLine(line);
        setFound((before) => {
          const lines = before.key === key ? before.lines : [];
          return { key, lines: [...lines, line].slice(-MAX_LINES) };
        });
      } else reporter.setOutcome(report.type);
    };
    addEventListener("message", onMessage);
    return () => {
      removeEventListener("message", onMessage);
      reporter.stop();
    };
  }, [key, build, onReport]);
  return {
    frame,
    lines: found.key === key ? found.lines : [],
    serialiseStorage: () => JSON.stringify(stored.current),
  };
}
