// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { isForField } from "#shared/study/session-keys.ts";
import { isTyping } from "#webapp/pdf/viewer/is-typing.ts";

/** Whether a session and a document leave a key to the element that has the focus. */
function leaveToElement(html: string, key: string): boolean[] {
  document.body.innerHTML = html;
  const event = new KeyboardEvent("keydown", { key, bubbles: true });
  document.querySelector("[data-focus]")?.dispatchEvent(event);
  return [isForField(event), isTyping(event)];
}

test("a radio button or checkbox that keeps the focus takes the arrows and the space bar, and no letters", () => {
  for (const type of ["radio", "checkbox"]) {
    const html = `<input data-focus type="${type}">`;
    for (const key of ["ArrowRight", " "]) expect(leaveToElement(html, key), key).toEqual([true, true]);
    for (const key of ["c", "3", "Escape"]) expect(leaveToElement(html, key), key).toEqual([false, false]);
  }
});

test("keys in a text field, a dialog or a menu are left to it", () => {
  for (const html of [
    "<input data-focus>",
    "<textarea data-focus></textarea>",
    "<dialog><input data-focus type=radio></dialog>",
    "<div role=menu><button data-focus></button></div>",
  ])
    expect(leaveToElement(html, "c"), html).toEqual([true, true]);
});
