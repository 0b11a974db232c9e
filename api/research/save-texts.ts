import { Failure } from "#shared/contract/failure.ts";
import { combineTexts } from "#shared/research/combine-texts.ts";
import { MAX_EDIT_CHARS, MAX_NOTES_CHARS } from "#shared/research/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findResearchContent, patchContentIf } from "./store.ts";

function limitLength(text: string, most: number): string {
  if (text.length > most) throw new Failure("bad_input", "research_text_too_long");
  return text;
}

/** Saves the student's notes. If others than `base` are stored, both are kept; without `base` they are replaced. */
export async function saveNotes(
  own: Own,
  sessionId: string,
  { notes, base }: { notes: string; base: string | undefined },
): Promise<void> {
  if (base === undefined) return void (await patchContentIf(own, sessionId, {}, { set: { notes } }));
  let [from, text] = [base, notes];
  // Each repeat follows a change of another tab or device.
  for (;;) {
    if (await patchContentIf(own, sessionId, { notes: from }, { set: { notes: text } })) return;
    const content = await findResearchContent(own, sessionId);
    if (!content) return;
    text = limitLength(combineTexts(base, content.notes, notes), MAX_NOTES_CHARS);
    from = content.notes;
  }
}

interface NewEdit {
  section: string;
  /** Null returns to the verified text. */
  text: string | null;
  /** The version that the text was written from; undefined replaces any. */
  base?: string | null | undefined;
  now: number;
}

/** The stored version with the new one. A version wins over the return to the verified text. */
function combineEdits(base: string | null, stored: string | null, text: string | null): string | null {
  if (stored === null || text === null) return stored ?? text;
  return limitLength(combineTexts(base ?? "", stored, text), MAX_EDIT_CHARS);
}

/** Saves the student's version of a section. If another version than `base` is stored, both are kept. */
export async function saveSectionEdit(
  own: Own,
  sessionId: string,
  { section, text, base, now }: NewEdit,
): Promise<void> {
  await patchContentIf(own, sessionId, { edits: null }, { set: { edits: {} } });
  const path = `edits.${section}` as const;
  const store = (condition: Record<`${string}.${string}`, string | null>, edit: string | null) => {
    const change = edit === null ? { unset: [path] } : { set: { [path]: { text: edit, edited_at: now } } };
    return patchContentIf(own, sessionId, condition, change);
  };
  if (base === undefined) return void (await store({}, text));
  let [from, next] = [base, text];
  // Each repeat follows a change of another tab or device.
  for (;;) {
    if (await store({ [`${path}.text`]: from }, next)) return;
    const content = await findResearchContent(own, sessionId);
    if (!content) return;
    from = content.edits?.[section]?.text ?? null;
    next = combineEdits(base, from, text);
  }
}
