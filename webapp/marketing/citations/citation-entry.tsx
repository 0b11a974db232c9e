import { hydrateTool } from "../tools/hydrate-tool.ts";
import { CitationTool } from "./citation-tool.tsx";
import "../tools/tool.css";
import "./citation-tool.css";

hydrateTool(() => <CitationTool />);
