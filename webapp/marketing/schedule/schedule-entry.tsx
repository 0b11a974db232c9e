import { hydrateTool } from "../tools/hydrate-tool.ts";
import { ScheduleTool } from "./schedule-tool.tsx";

hydrateTool(() => <ScheduleTool />);
