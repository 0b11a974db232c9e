import { type FoundArticle, loadHelpSearch } from "#shared/marketing/help-index-search.ts";

function toItem({ path, title, about }: FoundArticle): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = path;
  link.textContent = title;
  const description = document.createElement("p");
  description.textContent = about;
  item.append(link, description);
  return item;
}

/** A search whose index, with all articles in the page's language, is loaded with the first keystroke. */
function createSearch(address: string): (query: string) => Promise<FoundArticle[] | undefined> {
  let loading: ReturnType<typeof loadHelpSearch> | undefined;
  return async (query) => {
    if (query === "") return [];
    const current = loading ?? loadHelpSearch(address);
    loading = current;
    try {
      return (await current)(query);
    } catch {
      // The next query tries again.
      if (loading === current) loading = undefined;
      return undefined;
    }
  };
}

function start(form: HTMLFormElement, input: HTMLInputElement, list: HTMLElement, status: HTMLElement): void {
  const topics = document.getElementById("help-topics");
  const search = createSearch(input.dataset["index"] ?? "");
  const { none = "", failed = "", count = "" } = form.dataset;
  const show = async () => {
    const query = input.value.trim();
    const found = await search(query);
    if (query !== input.value.trim()) return;
    const articles = found ?? [];
    list.replaceChildren(...articles.map(toItem));
    list.hidden = articles.length === 0;
    if (topics) topics.hidden = articles.length > 0;
    const result = articles.length === 0 ? none : `${articles.length} ${count}`;
    status.textContent = found === undefined ? failed : query === "" ? "" : result;
  };
  input.addEventListener("input", () => void show());
  window.addEventListener("online", () => void show());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  // What was typed before this script was there.
  if (input.value !== "") void show();
}

const form = document.getElementById("help-search");
const input = document.getElementById("help-query");
const list = document.getElementById("help-found");
const status = document.getElementById("help-status");
if (form instanceof HTMLFormElement && input instanceof HTMLInputElement && list && status)
  start(form, input, list, status);
