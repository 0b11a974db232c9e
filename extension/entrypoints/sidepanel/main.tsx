import { show } from "#extension/ui/show.tsx";
import { Panel } from "#extension/ui/panel.tsx";

show(<Panel />);
