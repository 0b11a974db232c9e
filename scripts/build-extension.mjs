// Builds the extension into dist/extension/chrome and dist/extension/firefox.
//   --zip  packs both for the stores, with the sources that Firefox's reviewers require
import { build, zip } from "wxt";

const make = process.argv.includes("--zip") ? zip : build;
for (const browser of ["chrome", "firefox"]) await make({ configFile: "wxt.config.ts", browser });
