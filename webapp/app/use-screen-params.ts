import { useParams } from "@tanstack/react-router";
import { screens, type ScreenName, type ScreenParams } from "#shared/screens.ts";

/** Parameters of the current screen, by their names in the screens table. */
export function useScreenParams<N extends ScreenName>(name: N): ScreenParams<N> {
  const found: Record<string, string | undefined> = useParams({ strict: false });
  const rest = /\*(\w+)$/.exec(screens[name].path)?.[1];
  const named = Object.fromEntries(Object.entries(found).filter(([key]) => key !== "_splat" && key !== "*"));
  return { ...named, ...(rest ? { [rest]: found["_splat"] ?? "" } : {}) } as ScreenParams<N>;
}
