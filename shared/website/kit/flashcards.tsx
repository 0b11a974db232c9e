import { useEffect, useState } from "react";
import { createEmptyCard, fsrs, Rating, type Card, type Grade } from "ts-fsrs";
import type { SiteItem } from "../schema.ts";
import { Cite, Words } from "./cite.tsx";
import { useProgress } from "./progress.ts";
import { kitText } from "./texts.ts";

const scheduler = fsrs();
const grades: readonly [Grade, "again" | "hard" | "good" | "easy"][] = [
  [Rating.Again, "again"],
  [Rating.Hard, "hard"],
  [Rating.Good, "good"],
  [Rating.Easy, "easy"],
];

type Schedule = Record<string, { due: string; card: Card }>;

/** JSON has no dates. */
const revive = ({ due, card }: Schedule[string]): Card => {
  const revived = { ...card, due: new Date(due) };
  return card.last_review ? { ...revived, last_review: new Date(card.last_review) } : revived;
};

const dueAt = (schedule: Schedule, id: string) => Date.parse(schedule[id]?.due ?? "1970-01-01");

/** Cards to study, scheduled by FSRS; the schedule stays on this device. */
export function Flashcards({ id = "cards", items }: { id?: string; items: readonly SiteItem[] }) {
  const [schedule, setSchedule] = useProgress<Schedule>(id, {});
  const [isOpen, setOpen] = useState(false);
  const [now, setNow] = useState(() => Date.now());
  const due = items.filter((item) => dueAt(schedule, item.id) <= now);
  const current = due[0];
  const grade = (rating: Grade) => {
    if (!current) return;
    const known = schedule[current.id];
    const { card } = scheduler.next(known ? revive(known) : createEmptyCard(), new Date(), rating);
    setSchedule({ ...schedule, [current.id]: { due: card.due.toISOString(), card } });
    setOpen(false);
    setNow(Date.now());
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
      const rating = isOpen ? grades[Number(event.key) - 1] : undefined;
      if (rating) grade(rating[0]);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  if (items.length === 0) return <p className="lk-empty">{kitText("empty")}</p>;
  if (!current) return <Finished items={items} schedule={schedule} onRestart={() => setSchedule({})} />;
  return (
    <div className="lk-study">
      <p className="lk-count">{kitText("cards_left", { n: due.length })}</p>
      <div className="lk-card" aria-live="polite">
        <div className="lk-front">
          <Words text={current.text} />
        </div>
        {isOpen && (
          <div className="lk-back">
            <Words text={current.answer ?? ""} /> <Cite {...current} />
          </div>
        )}
      </div>
      {isOpen ? (
        <div className="lk-grades">
          {grades.map(([rating, name], index) => (
            <button key={name} type="button" className="lk-button" onClick={() => grade(rating)}>
              {kitText(name)} <kbd aria-hidden="true">{index + 1}</kbd>
            </button>
          ))}
        </div>
      ) : (
        <button type="button" className="lk-button lk-primary" onClick={() => setOpen(true)}>
          {kitText("show_answer")}
        </button>
      )}
    </div>
  );
}

interface FinishedProps {
  items: readonly SiteItem[];
  schedule: Schedule;
  onRestart: () => void;
}

function Finished({ items, schedule, onRestart }: FinishedProps) {
  const next = Math.min(...items.map(({ id }) => dueAt(schedule, id)));
  return (
    <div className="lk-study">
      <p>{kitText("cards_done")}</p>
      <p className="lk-count">{kitText("next_due", { when: new Date(next).toLocaleString() })}</p>
      <button type="button" className="lk-button" onClick={onRestart}>
        {kitText("study_again")}
      </button>
    </div>
  );
}
