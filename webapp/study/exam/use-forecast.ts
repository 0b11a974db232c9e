import { useEffect, useState } from "react";
import { type Exam, type Forecast, forecastOf } from "./exams.ts";

/** Typing comes first. */
const PATIENCE_MS = 300;

/** The forecast of an exam as it is set now; null while it is worked out. */
export function useForecast(exam: Omit<Exam, "key"> | null): Forecast | null {
  const [known, setKnown] = useState<{ key: string; forecast: Forecast } | null>(null);
  const key = exam === null ? "" : keyOf(exam);
  useEffect(() => {
    if (exam === null) return undefined;
    let isLeft = false;
    const timer = setTimeout(() => {
      void forecastOf(exam).then((forecast) => !isLeft && setKnown({ key, forecast }));
    }, PATIENCE_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
    // The same exam in a new object is the same exam.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return known?.key === key ? known.forecast : null;
}

const keyOf = ({ decks, examAt, minutesPerDay }: Omit<Exam, "key">) =>
  JSON.stringify([decks.map(({ componentId, due, fresh }) => [componentId, due, fresh]), examAt, minutesPerDay]);
