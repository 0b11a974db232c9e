import type { BuildFault } from "#shared/website/schema.ts";

const describeFault = ({ message, path, line, column }: BuildFault) =>
  `${path ?? "build"}${line === null ? "" : `:${line}:${column ?? 0}`} ${message}`;

/** Faults with the three lines around each. */
export function describeFaults(faults: readonly BuildFault[], files: ReadonlyMap<string, string>): string {
  return faults
    .slice(0, 5)
    .map((fault) => {
      const lines = files.get(fault.path ?? "")?.split("\n") ?? [];
      const { line } = fault;
      const around =
        line === null
          ? []
          : lines
              .slice(Math.max(0, line - 2), line + 1)
              .map((text, index) => `${Math.max(1, line - 1) + index} | ${text}`);
      return [describeFault(fault), ...around].join("\n");
    })
    .join("\n");
}
