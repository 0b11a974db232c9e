import { loadHelpSearch } from "#shared/marketing/help-index-search.ts";

function start(form: HTMLFormElement, input: HTMLInputElement, list: HTMLElement, status: HTMLElement): void {
  let search: ReturnType<typeof loadHelpSearch> | undefined;
  const topics = document.getElementById("help-topics");
  const show = async () => {
    const query = input.value.trim();
    // The search index, with all articles in the page's language, is loaded with the first keystroke.
    search ??= loadHelpSearch(input.dataset["index"] ?? "");
    const found = query === "" ? [] : (await search)(query);
    if (query !== input.value.trim()) return;
    list.replaceChildren(
      ...found.map((hit) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = hit.path;
        link.textContent = hit.title;
        const about = document.createElement("p");
        about.textContent = hit.about;
        item.append(link, about);
        return item;
      }),
    );
    list.hidden = found.length === 0;
    if (topics) topics.hidden = found.length > 0;
    const none = form.dataset["none"] ?? "";
    status.textContent = query === "" ? "" : found.length === 0 ? none : `${found.length} ${form.dataset["count"]}`;
  };
  input.addEventListener("input", () => void show());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
}

const form = document.getElementById("help-search");
const input = document.getElementById("help-query");
const list = document.getElementById("help-found");
const status = document.getElementById("help-status");
if (form instanceof HTMLFormElement && input instanceof HTMLInputElement && list && status)
  start(form, input, list, status);
