import { createContext, useContext } from "react";

/** From this width on, the sidebar fits beside a page, a document, a deck or a video. */
export const SIDEBAR_FITS = "(min-width: 1280px)";

/** How the screens without a sidebar of their own open it; undefined where they are shown without one. */
export const SidebarOpenerContext = createContext<(() => void) | undefined>(undefined);

export const useSidebarOpener = () => useContext(SidebarOpenerContext);
