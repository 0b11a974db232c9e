import { BookOpen, Search, Telescope } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { InnerLink } from "#webapp/app/inner-link.tsx";
import type { MessageProps } from "./parts/message-props.ts";

interface Props extends Pick<MessageProps, "isBusy" | "onAskEverything"> {
  question: Message;
}

/** Links to other ways to find an answer that the sources do not have. */
export function NextSteps({ question, isBusy, onAskEverything }: Props) {
  const query = `?q=${encodeURIComponent(question.text)}`;
  return (
    <>
      {question.ground.kind !== "everything" && !isBusy && (
        <Button icon={<BookOpen aria-hidden />} onClick={() => onAskEverything(question)}>
          {t("tutor.ask_all_material")}
        </Button>
      )}
      <InnerLink className="button button-secondary" to={`${screenPath("search", {})}${query}`}>
        <Search aria-hidden /> {t("tutor.search_material")}
      </InnerLink>
      <InnerLink className="button button-secondary" to={`${screenPath("research", {})}${query}`}>
        <Telescope aria-hidden /> {t("tutor.research_question")}
      </InnerLink>
    </>
  );
}
