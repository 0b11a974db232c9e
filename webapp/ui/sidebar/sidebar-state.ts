import { createContext, useContext } from "react";

/** From this width on, the sidebar fits beside a page, a document, a deck or a video. */
export const SIDEBAR_FITS = "(min-width: 1280px)";

/** Opens the sidebar of the screen; undefined if the sidebar is pinned or the screen has none. */
export const SidebarOpenerContext = createContext<(() => void) | undefined>(undefined);

export const useSidebarOpener = () => useContext(SidebarOpenerContext);
