import MiniSearch from "minisearch";

interface Article {
  path: string;
  title: string;
  text: string;
}

const MAX_SHOWN = 12;

/** Built with the first key, from the words of all articles in the page's language. */
async function buildIndex(address: string): Promise<MiniSearch<Article>> {
  const articles = (await (await fetch(address)).json()) as Article[];
  const index = new MiniSearch<Article>({
    idField: "path",
    fields: ["title", "text"],
    storeFields: ["title"],
    searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false) },
  });
  index.addAll(articles);
  return index;
}

function start(form: HTMLFormElement, input: HTMLInputElement, list: HTMLElement, status: HTMLElement): void {
  let index: Promise<MiniSearch<Article>> | undefined;
  const topics = document.getElementById("help-topics");
  const show = async () => {
    const query = input.value.trim();
    index ??= buildIndex(input.dataset["index"] ?? "");
    const found = query === "" ? [] : (await index).search(query).slice(0, MAX_SHOWN);
    if (query !== input.value.trim()) return;
    list.replaceChildren(
      ...found.map((hit) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = String(hit.id);
        link.textContent = String(hit["title"]);
        item.append(link);
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
