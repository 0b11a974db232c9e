const only = (name, from, to) => ({ name, severity: "error", from: { path: from }, to: { path: to } });
const publicFiles = require("./public-files.cjs");
const apps = "^(api|webapp|extension)/";
/** Folders that belong to no feature: everything may import them. */
const platform = "http|store|blobs|jobs|ai|documents|outside|app|offline|ui|platform|words";
const exact = (file) => `^${file.replaceAll(".", "\\.")}$`;
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    only("shared-knows-no-app", "^shared/", apps),
    only("api-knows-no-client", "^api/", "^(webapp|extension)/"),
    only("clients-know-no-api", "^(webapp|extension)/", "^api/"),
    only("clients-are-strangers-a", "^webapp/", "^extension/"),
    only("clients-are-strangers-b", "^extension/", "^webapp/"),
    {
      name: "rules-are-pure",
      severity: "error",
      from: { path: "^shared/[^/]+/(schema|rules|effective-plan|daily-usage|days|streak|preferences)\\.ts$" },
      to: {
        pathNot:
          "^shared/[^/]+/(schema|rules|effective-plan|daily-usage|days|streak|preferences|message-parts)\\.ts$|^shared/messages/reasons\\.ts$|^shared/text/fold-text\\.ts$|node_modules/(zod|ts-fsrs)/",
      },
    },
    {
      name: "features-are-strangers",
      severity: "error",
      from: { path: "^(api|webapp|extension)/([^/]+)/", pathNot: `^[^/]+/(${platform}|routes|entrypoints)/` },
      to: {
        path: "^(api|webapp|extension)/.+/",
        pathNot: [`^[^/]+/(${platform})/`, "^$1/$2/", ...publicFiles.map(exact)],
      },
    },
    {
      name: "databases-only-in-store-and-blobs",
      severity: "error",
      // A package of cards is a SQLite file: it is read and written in memory, in a process of its own.
      from: { pathNot: "^(api/(store|blobs)/|api/documents/anki/anki-(collection|tables|writer)\\.ts$|tests/)" },
      to: { path: "node_modules/mongodb|^(node:)?sqlite$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js"] },
  },
};
