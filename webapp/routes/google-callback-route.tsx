import { useSearch } from "@tanstack/react-router";
import { DriveReturn } from "#webapp/connections/drive-return.tsx";

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Where Google sends the browser back to. */
export function GoogleCallbackRoute() {
  const { code, state, error }: Record<string, unknown> = useSearch({ strict: false });
  return <DriveReturn code={textOf(code)} state={textOf(state)} isRefused={error !== undefined} />;
}
