import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer";
import { takePicture } from "../student.ts";

const folder = process.env["SCREENSHOTS"];

/** Records the duration of each step of a journey and a picture at its end. */
export function aRecording(name: string) {
  const steps: { what: string; ms: number }[] = [];
  let begun = performance.now();
  return {
    /** Starts timing. */
    begin: () => {
      begun = performance.now();
    },
    /** Ends a step; taking its picture isn't counted. */
    async ended(what: string, page: Page): Promise<void> {
      steps.push({ what, ms: Math.round(performance.now() - begun) });
      await takePicture(page, `${name}-${steps.length}`);
      begun = performance.now();
    },
    /** Prints the steps with their times and stores them beside the pictures. */
    tell(): readonly string[] {
      const total = steps.reduce((sum, { ms }) => sum + ms, 0);
      const lines = [...steps, { what: "all of it", ms: total }].map(
        ({ what, ms }, at) => `  ${at + 1}. ${what}: ${ms} ms`,
      );
      const text = [`${name}, as it was recorded:`, ...lines].join("\n");
      process.stdout.write(`${text}\n`);
      if (folder) writeFileSync(join(folder, `${name}.txt`), `${text}\n`);
      return steps.map(({ what }) => what);
    },
  };
}
