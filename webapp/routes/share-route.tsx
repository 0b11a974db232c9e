import { SharedDocument } from "#webapp/pdf/parts/shared-document.tsx";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { SharedEpisode } from "#webapp/podcasts/parts/shared-episode.tsx";
import { SharedScreen } from "#webapp/sharing/shared-screen.tsx";

export function ShareRoute() {
  const { share } = useScreenParams("share");
  return <SharedScreen key={share} shareId={share} Document={SharedDocument} Podcast={SharedEpisode} />;
}
