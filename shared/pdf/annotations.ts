import { z } from "zod";

/** The highlight colours of specification section 3. */
export const annotationColors = ["red", "yellow", "green", "blue"] as const;
export type AnnotationColor = (typeof annotationColors)[number];

const Rect = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/**
 * A highlight by the student, with or without a note. It is anchored by its quote, the text before and after it, its
 * page, and rectangles in PDF points from the top left of each page; a text without pages has no rectangles.
 */
export const Annotation = z.object({
  _id: z.string().min(1).max(64),
  componentId: z.string().min(1).max(64),
  color: z.enum(annotationColors),
  quote: z.string().max(8_000),
  prefix: z.string().max(200),
  suffix: z.string().max(200),
  page: z.int().min(1),
  places: z.array(z.object({ page: z.int().min(1), rects: z.array(Rect).max(400) })).max(20),
  note: z.string().max(20_000),
  createdAt: z.number(),
  modifiedAt: z.number(),
});
export type Annotation = z.infer<typeof Annotation>;

/** Sorts by page, and from top to bottom within a page. */
export function sortByPosition(annotations: readonly Annotation[]): Annotation[] {
  const top = ({ places }: Annotation) => places[0]?.rects[0]?.[1] ?? 0;
  return annotations.toSorted((a, b) => a.page - b.page || top(a) - top(b) || a.createdAt - b.createdAt);
}
