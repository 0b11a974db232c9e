import { t } from "#shared/messages/translate.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { TutorLayout } from "#webapp/tutor/tutor-panel.tsx";
import { VideoScreen } from "#webapp/video/video-screen.tsx";

export function VideoRoute() {
  const { slug } = useScreenParams("video");
  return (
    <TutorLayout key={slug} startsClosed source={{ kind: "video", id: slug, title: t("tutor.scope_video") }}>
      <VideoScreen />
    </TutorLayout>
  );
}
