import { createContext } from "react";

/** Whether a layout surrounds the screen, so that an error in it needs no header, navigation and footer again. */
export const FramedContext = createContext(false);
