import { useLocation } from "@tanstack/react-router";

/**
 * Changes with each arrival at the open screen by `goTo`, even at the same address. An effect that scrolls to what the
 * address names depends on it.
 */
export const useArrival = (): number | undefined => useLocation({ select: ({ state }) => state.arrival });
