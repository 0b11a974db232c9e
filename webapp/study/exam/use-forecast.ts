import { useEffect, useState } from "react";
import { type Exam, type Forecast, forecastOf } from "./exams.ts";

/** Debounce while typing. */
const PATIENCE_MS = 300;

/** The forecast of the exam as entered; null while it is computed. */
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
    // An equal exam in a new object does not start a new computation.
  }, [key]);
  return known?.key === key ? known.forecast : null;
}

const keyOf = ({ decks, examAt, minutesPerDay }: Omit<Exam, "key">) =>
  JSON.stringify([decks.map(({ componentId, due, fresh }) => [componentId, due, fresh]), examAt, minutesPerDay]);
