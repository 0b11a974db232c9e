import sharp from "sharp";
import { screenPath } from "#shared/screens.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";
import { chooseFromDeckMenu, openDeck, type Scene, upload } from "./scene.ts";

/** Pictures of a page of notes, its cards, and the source sentence of a card. */
export async function takeCards(scene: Scene): Promise<void> {
  const { student, pageId, take } = scene;
  const { page } = student;
  await student.open(screenPath("page", { id: pageId }));
  await student.waitForText("Photosynthesis is the process");
  await take("cards/page");
  await openDeck(scene);
  await page.waitForSelector(".cite-badge");
  await take("cards/deck");
  await page.locator(".cite-badge").click();
  await page.waitForFunction(() => CSS.highlights.size > 0);
  await take("cards/card-source");
}

/** A picture of selected cards with the actions for them. */
export async function takeSelection(scene: Scene): Promise<void> {
  const { student, words, take } = scene;
  await openDeck(scene);
  for (const [at, number] of [2, 1, 4].entries()) {
    await student.press("checkbox", words.flashcards.select_card.replace("{{number}}", String(number)));
    const selected = at === 0 ? words.flashcards.selected_one : words.flashcards.selected_other;
    await student.waitForText(selected.replace("{{count}}", String(at + 1)));
  }
  await take("cards/edit-cards");
}

/** A picture of the coverage of a deck that was made from a document. */
export async function takeCoverage({ user, student, words, take }: Scene): Promise<void> {
  const pageId = await aPage(user, "Genes");
  const componentId = await upload({ user, pageId }, await ownChapter(), "Genes and proteins.pdf");
  const target = { pageId, componentId: await aDeck(user, pageId, []) };
  const options = { density: "AUTO" as const, target };
  await user.client.flashcards.generateCards({ pdfComponents: [{ componentId }], options }, []);
  await student.open(screenPath("page", { id: pageId }));
  await student.press("button", words.flashcards.menu);
  await student.press("menuitem", words.flashcards.coverage);
  await student.waitForText(words.flashcards.coverage_terms);
  await take("cards/coverage");
}

/** Pictures of the dialogs for a list and for importing cards from other programs. */
export async function takeDeckMenu(scene: Scene): Promise<void> {
  const { student, words, take } = scene;
  await chooseFromDeckMenu(scene, words.cardDialogs.list_cards);
  await student.type(words.cardDialogs.list_title, "The Calvin cycle");
  await student.type(words.cardDialogs.list_items, "Carbon fixation\nReduction\nRegeneration");
  await take("cards/list-cards");
  await chooseFromDeckMenu(scene, words.flashcards.import);
  await student.waitForText(words.flashcards.import_text.slice(0, 40));
  await take("cards/import-cards");
}

export async function takePrint({ student, words, pageId, deckId, take }: Scene): Promise<void> {
  await student.open(screenPath("printFlashcards", { id: pageId, flashcard: deckId }));
  await student.waitForText(words.flashcards.layout_fold);
  await student.waitForText("What is photosynthesis?");
  await take("cards/print");
}

/** A leaf cell with labels beside its parts. */
const CELL = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" font-family="sans-serif"><rect width="640" height="360" fill="#fff"/>
<rect x="40" y="40" width="400" height="280" rx="40" fill="#e3f2e9" stroke="#1f6b45" stroke-width="6"/>
<ellipse cx="220" cy="190" rx="120" ry="80" fill="#dbe9f7" stroke="#24406b" stroke-width="3"/>
<circle cx="370" cy="100" r="40" fill="#cdb9ef" stroke="#4a2f86" stroke-width="3"/>
<g fill="#7cc08a" stroke="#1f6b45" stroke-width="3"><ellipse cx="110" cy="90" rx="34" ry="18"/><ellipse cx="130" cy="285" rx="34" ry="18"/><ellipse cx="360" cy="270" rx="34" ry="18"/></g>
<g stroke="#555" stroke-width="2"><path d="M410 100H480M340 190H480M394 270H480"/></g>
<g font-size="24" fill="#222"><text x="490" y="108">Nucleus</text><text x="490" y="198">Vacuole</text><text x="490" y="278">Chloroplast</text></g></svg>`;

/** A picture of a diagram with rectangles over its labels. */
export async function takeImageCards({ user, student, words, take }: Scene): Promise<void> {
  const { page } = student;
  const pageId = await aPage(user, "Leaf cell");
  await upload({ user, pageId }, await sharp(Buffer.from(CELL)).png().toBuffer(), "leaf-cell.png");
  await student.open(screenPath("page", { id: pageId }));
  await page.waitForSelector("img.file-picture");
  await student.press("button", words.pages.file_menu.replace("{{name}}", "leaf-cell.png"));
  await student.press("menuitem", words.flashcards.hide_parts);
  const stage = await page.waitForSelector(".hide-stage img");
  for (const [at, label] of ["Nucleus", "Vacuole", "Chloroplast"].entries()) {
    // The field of the previous label is below the picture, so scroll back.
    await stage?.evaluate((picture) => picture.scrollIntoView({ block: "start" }));
    const box = await stage?.boundingBox();
    if (!box) throw new Error("The picture is not on the screen");
    const y = box.y + (box.height * (82 + at * 87)) / 360;
    await page.mouse.move(box.x + box.width * 0.75, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.98, y + box.height * 0.1, { steps: 4 });
    await page.mouse.up();
    await student.type(words.cardDialogs.hide_label.replace("{{number}}", String(at + 1)), label);
  }
  await stage?.evaluate((picture) => picture.scrollIntoView({ block: "start" }));
  await take("cards/image-cards");
}
