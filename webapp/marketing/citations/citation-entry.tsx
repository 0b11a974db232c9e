import { hydrateTool } from "../tools/hydrate-tool.ts";
import { CitationTool } from "./citation-tool.tsx";

hydrateTool(() => <CitationTool />);
