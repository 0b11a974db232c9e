import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import type { PreviewReport } from "#shared/website/schema.ts";
import { PreviewReporter } from "./preview-reporter.ts";

/** A report from a site to the app. Its content is untrusted, because the site wrote it. */
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
/** Later errors are ignored, because a site that reports an error in each frame would keep the screen busy for ever. */
const MAX_RECEIVED = 500;
const MAX_STORED_CHARS = 200_000;

export interface PreviewReports {
  lines: readonly ConsoleLine[];
  frame: React.RefObject<HTMLIFrameElement | null>;
  /** The site's storage as a window name, because a sandboxed site has no storage of its own. */
  serialiseStorage: () => string;
}

interface ShownBuild {
  /** Identifies the frame that shows the build. */
  key: string;
  build: number;
  /** Receives the report of the build for the agent; must be stable. */
  onReport: (report: PreviewReport) => void;
}

/**
 * Collects the reports of the site in a frame. A new build resets the console. The storage lasts as long as the screen.
 */
export function usePreviewReports({ key, build, onReport }: ShownBuild): PreviewReports {
  const frame = useRef<HTMLIFrameElement>(null);
  const stored = useRef<Record<string, Record<string, string>>>({});
  const [found, setFound] = useState<{ key: string; lines: readonly ConsoleLine[] }>({ key, lines: [] });
  useEffect(() => {
    const reporter = new PreviewReporter(build, onReport);
    let received = 0;
    const onMessage = ({ source, data }: MessageEvent) => {
      // The origin of a sandboxed site is always "null", so the sender is identified by its window.
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
