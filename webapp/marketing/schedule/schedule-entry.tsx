import { hydrateTool } from "../tools/hydrate-tool.ts";
import { ScheduleTool } from "./schedule-tool.tsx";
import "../tools/tool.css";
import "./schedule-tool.css";

hydrateTool(() => <ScheduleTool />);
