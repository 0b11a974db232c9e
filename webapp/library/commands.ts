import { screenPath, type ScreenName } from "#shared/screens.ts";
import { t } from "#shared/messages/translate.ts";
import { createPage } from "./content.ts";
import { createFolder } from "./folders.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { openOverlay } from "#webapp/app/overlays.ts";
import { changePreferences } from "#webapp/app/preferences.ts";
import { readSelectionOrScreen } from "#webapp/podcasts/read-to-me.ts";
import type { Theme } from "#webapp/app/browser/theme.ts";
import { createAndOpen } from "#webapp/ui/sidebar/create-and-open.ts";
import { pickFiles } from "#webapp/uploads/parts/pick-files.ts";
import { uploadToNewPages } from "#webapp/uploads/parts/upload-menu.tsx";

/** A command that can be run from the search. */
export interface Command {
  id: string;
  title: string;
  run: () => void;
}

const screenCommands: readonly [
  ScreenName &
    (
      | "home"
      | "chat"
      | "research"
      | "content"
      | "knowledge"
      | "podcasts"
      | "canvas"
      | "explore"
      | "connections"
      | "settings"
    ),
  string,
][] = [
  ["home", t("shell.home")],
  ["chat", t("shell.tutor")],
  ["research", t("shell.research")],
  ["content", t("shell.content")],
  ["knowledge", t("shell.sources")],
  ["podcasts", t("shell.podcasts")],
  ["canvas", t("tutor.canvas")],
  ["explore", t("library.command_explore")],
  ["connections", t("shell.connections")],
  ["settings", t("shell.settings")],
];

const chooseTheme = (theme: Theme) => void changePreferences((p) => ({ ...p, appearance: { ...p.appearance, theme } }));

/** All commands: first those that create something, then appearance and other actions, then navigation. */
export const listCommands = (): Command[] => [
  {
    id: "new-page",
    title: t("shell.new_page"),
    run: () => void createAndOpen(createPage, (id) => goTo(screenPath("page", { id }))),
  },
  {
    id: "new-folder",
    title: t("library.new_folder"),
    run: () =>
      void createAndOpen(
        () => createFolder("", "BLUE"),
        (id) => goTo(screenPath("folder", { id })),
      ),
  },
  { id: "add-files", title: t("library.command_add_files"), run: () => pickFiles({ onFiles: uploadToNewPages }) },
  { id: "import", title: t("imports.title"), run: () => openOverlay("import") },
  { id: "light", title: t("library.command_light"), run: () => chooseTheme("light") },
  { id: "dark", title: t("library.command_dark"), run: () => chooseTheme("dark") },
  { id: "system", title: t("library.command_system"), run: () => chooseTheme("system") },
  { id: "keys", title: t("library.command_keys"), run: () => openOverlay("keys") },
  { id: "read", title: t("podcasts.read_screen"), run: () => readSelectionOrScreen() },
  { id: "feedback", title: t("library.command_feedback"), run: () => openOverlay("feedback") },
  { id: "sign-out", title: t("shell.sign_out"), run: () => goTo(screenPath("logout", {})) },
  ...screenCommands.map(([name, title]) => ({
    id: `screen:${name}`,
    title: t("library.command_go", { title }),
    run: () => goTo(screenPath(name, {})),
  })),
];
