import { browser } from "wxt/browser";
import { defineBackground } from "wxt/utils/define-background";
import { openPanel, panelOpensOnAction } from "#extension/platform/panel.ts";

export default defineBackground(() => {
  // No await before the panel opens: the browser counts only what happens in the gesture itself, and it is this
  // listener, not the browser's own opening on a press, that gives access to the page.
  panelOpensOnAction();
  browser.action.onClicked.addListener((tab) => openPanel(tab));
  browser.commands.onCommand.addListener((command, tab) => {
    if (command === "open-panel") openPanel(tab);
  });
});
