import { readFileSync } from "node:fs";
import { z } from "zod";

const Mark = z.enum(["keep", "edit", "drop", "false"]);
type Mark = z.infer<typeof Mark>;

/** The mark of one reader, or the marks of two. */
const Marks = z
  .object({ mark: Mark.optional(), marks: z.array(Mark).optional() })
  .transform(({ mark, marks = [] }) => (mark === undefined ? marks : [mark]))
  .refine((marks) => marks.length > 0, "neither `mark` nor `marks`");

const linesOf = (file: string): string[] =>
  readFileSync(new URL(`../../bench/card-ranker/${file}`, import.meta.url), "utf8")
    .trim()
    .split("\n");

/**
 * Cards of `bench/card-ranker` with their marks. Cards without the fields that `RecordSchema` requires are skipped, and
 * their number is printed. A line without a mark is an error.
 */
export function readJudgedCards<T extends object>(
  files: readonly string[],
  RecordSchema: z.ZodType<T>,
): (T & { marks: Mark[] })[] {
  let skipped = 0;
  const cards = files.flatMap((file) =>
    linesOf(file).flatMap((text, i) => {
      const line: unknown = JSON.parse(text);
      const marks = Marks.safeParse(line);
      if (!marks.success) throw new Error(`${file}:${i + 1}: ${z.prettifyError(marks.error)}`);
      const record = RecordSchema.safeParse(line);
      if (record.success) return { ...record.data, marks: marks.data };
      skipped += 1;
      return [];
    }),
  );
  console.log(`${cards.length} cards read; ${skipped} skipped, because they lack what the engine recorded`);
  return cards;
}
