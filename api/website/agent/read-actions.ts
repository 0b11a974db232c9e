import type { TextEdit } from "./files/edit-text.ts";

/** One action that a model wrote: a tag with attributes and content. */
export interface AgentAction {
  name: string;
  args: Readonly<Record<string, string>>;
  body: string;
  /** Edits of a native call; in text they are in the body. */
  edits?: readonly TextEdit[];
  /** Why the action cannot be run: it was cut, or its arguments are wrong. */
  fault?: string;
}

export const TOOL_NAMES = [
  "list_files",
  "read_file",
  "write_file",
  "edit_file",
  "delete_file",
  "rename_file",
  "check",
  "console",
  "find_in_sources",
  "use_cards",
] as const;

const OPEN = /<([a-z]+(?:_[a-z]+)*)((?:\s+[a-z]+="[^"\n]{0,300}")*)\s*(\/?)>/g;
/** Text that may be the incomplete beginning of an action. */
const BEGINNING = /^<(?:[a-z_]{0,40}|[a-z]+(?:_[a-z]+)*\s[^\n]{0,700})$/;
const ATTRIBUTE = /([a-z]+)="([^"\n]*)"/g;
const WITH_BODY = new Set(["write_file", "edit_file"]);
/** Any name that looks like a tool counts as an action, so that the answer tells the model which tools exist. */
const isAction = (name: string) => name.includes("_") || (TOOL_NAMES as readonly string[]).includes(name);

/** Removes a code fence that a model put around a file. */
const stripFence = (text: string): string => /^\s*```[\w-]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;

/** Reads the actions of an answer in order, and the words outside of them. An action without an end was cut. */
export function readActions(answer: string): { actions: AgentAction[]; words: string } {
  const actions: AgentAction[] = [];
  let words = "";
  let offset = 0;
  const pattern = new RegExp(OPEN);
  for (let match = pattern.exec(answer); match; match = pattern.exec(answer)) {
    const [whole, name = "", attributes = "", selfClosed = ""] = match;
    if (!isAction(name)) continue;
    const args = Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", value = ""]) => [key, value]),
    );
    const start = match.index + whole.length;
    words += answer.slice(offset, match.index);
    const end = WITH_BODY.has(name) && selfClosed === "" ? findBodyEnd(answer, name, start) : start;
    const body = stripFence(
      answer
        .slice(start, end)
        .replace(/^\r?\n/, "")
        .replace(/\r?\n[ \t]*$/, "\n"),
    );
    const close = `</${name}>`;
    const isCut = end > start && end === answer.length;
    actions.push({
      name,
      args,
      body,
      ...(isCut && { fault: `The answer ended before ${close}. Write less at once.` }),
    });
    offset = answer.startsWith(close, end) ? end + close.length : end;
    pattern.lastIndex = offset;
  }
  return { actions, words: (words + answer.slice(offset)).trim() };
}

/** The end of the body of an action. If the answer was cut, the rest of it is the body. */
function findBodyEnd(answer: string, name: string, from: number): number {
  const end = answer.indexOf(`</${name}>`, from);
  return end === -1 ? answer.length : end;
}

/** Reads the words of an answer as it arrives, without its actions. */
export class WordStream {
  #buffered = "";
  /** The closing tag of the action whose body is being written. */
  #close = "";
  /** White space that is sent only if words follow. */
  #gap = "";
  #hasWords = false;

  push(piece: string): string {
    this.#buffered += piece;
    let words = "";
    for (;;) {
      const step = this.#close === "" ? this.#readWords() : this.#skipBody();
      if (step === undefined) return this.#trim(words);
      words += step;
    }
  }

  /** Returns buffered text that turned out to be no action. */
  end(): string {
    const rest = this.#close === "" ? this.#buffered : "";
    this.#buffered = "";
    return this.#trim(rest);
  }

  /** Undefined if more of the answer is needed. */
  #skipBody(): "" | undefined {
    const end = this.#buffered.indexOf(this.#close);
    if (end === -1) {
      this.#buffered = this.#buffered.slice(1 - this.#close.length);
      return undefined;
    }
    this.#buffered = this.#buffered.slice(end + this.#close.length);
    this.#close = "";
    return "";
  }

  #readWords(): string | undefined {
    const start = this.#buffered.indexOf("<");
    if (start !== 0) return this.#take(start === -1 ? this.#buffered.length : start);
    const match = new RegExp(OPEN.source, "y").exec(this.#buffered);
    const [whole = "", name = "", , selfClosed] = match ?? [];
    if (isAction(name)) {
      this.#buffered = this.#buffered.slice(whole.length);
      if (WITH_BODY.has(name) && selfClosed === "") this.#close = `</${name}>`;
      return "";
    }
    return !match && BEGINNING.test(this.#buffered) ? undefined : this.#take(1);
  }

  #take(length: number): string | undefined {
    if (length === 0) return undefined;
    const words = this.#buffered.slice(0, length);
    this.#buffered = this.#buffered.slice(length);
    return words;
  }

  #trim(words: string): string {
    const text = this.#hasWords ? this.#gap + words : words.trimStart();
    const visible = text.trimEnd();
    this.#gap = visible === "" && !this.#hasWords ? "" : text.slice(visible.length);
    this.#hasWords ||= visible !== "";
    return visible;
  }
}
