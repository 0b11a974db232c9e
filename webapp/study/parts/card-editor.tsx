import { useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { proposeRewrites, type RewriteProposal } from "#shared/study/propose-card-rewrite.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { rewriteCard } from "../session/card-changes.ts";

interface Props {
  card: Flashcard;
  /** Whether to show rewrite proposals, which are for leeches only. */
  withProposals: boolean;
  onClose: () => void;
}

/** Edits both sides of a card without leaving the session. */
export function CardEditor({ card, withProposals, onClose }: Props) {
  const [question, setQuestion] = useState(card.question);
  const [answer, setAnswer] = useState(card.answer);
  const proposals = withProposals ? proposeRewrites(card) : [];
  const save = async (sides: readonly Pick<Flashcard, "question" | "answer">[]) => {
    if (await rewriteCard(card.id, sides)) onClose();
  };
  return (
    <Dialog
      open
      title={withProposals ? t("study.rewrite_title") : t("study.edit_card")}
      closeLabel={t("common.close")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button
            variant="primary"
            disabled={question.trim() === "" || answer.trim() === ""}
            onClick={() => void save([{ question, answer }])}
          >
            {t("study.save_card")}
          </Button>
        </>
      }
    >
      <div className="card-editor">
        <TextArea
          label={t("study.question")}
          dir="auto"
          value={question}
          maxLength={20_000}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <TextArea
          label={t("study.answer")}
          dir="auto"
          value={answer}
          maxLength={20_000}
          onChange={(event) => setAnswer(event.target.value)}
        />
        {proposals.map((proposal) => (
          <Proposal key={proposal.kind} proposal={proposal} onTake={() => void save(proposal.cards)} />
        ))}
      </div>
    </Dialog>
  );
}

function Proposal({ proposal, onTake }: { proposal: RewriteProposal; onTake: () => void }) {
  return (
    <section className="card-proposal" aria-label={t(`study.propose_${proposal.kind}`)}>
      <h3>{t(`study.propose_${proposal.kind}`)}</h3>
      <ul role="list">
        {proposal.cards.map(({ question, answer }) => (
          <li key={question + answer}>
            <span dir="auto">{question}</span>
            <span dir="auto">{answer}</span>
          </li>
        ))}
      </ul>
      <Button onClick={onTake}>{t("study.use_proposal")}</Button>
    </section>
  );
}
