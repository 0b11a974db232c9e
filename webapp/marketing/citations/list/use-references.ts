import { useCallback, useEffect, useRef, useState } from "react";
import { sourceFields, sourceTypes, type Reference } from "#shared/marketing/references.ts";

const STORAGE_KEY = "lamplight_references";

/** Stored data may be of an earlier version or damaged: a field of another shape is left out. */
function toReference(value: unknown): Reference | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const stored = new Map<string, unknown>(Object.entries(value));
  const id = stored.get("id");
  const type = sourceTypes.find((known) => known === stored.get("type"));
  if (typeof id !== "string" || type === undefined) return undefined;
  const fields = sourceFields.flatMap((field) => {
    const text = stored.get(field);
    return typeof text === "string" ? [[field, text] as const] : [];
  });
  return { ...Object.fromEntries(fields), id, type };
}

/** The list of this browser; undefined if the browser blocks storage. */
function readStored(): Reference[] | undefined {
  try {
    const text = localStorage.getItem(STORAGE_KEY);
    return text === null ? [] : parseList(text);
  } catch {
    return undefined;
  }
}

function parseList(text: string): Reference[] {
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.flatMap((value) => toReference(value) ?? []) : [];
  } catch {
    return [];
  }
}

/** Whether the browser stored the list. */
function store(references: readonly Reference[]): boolean {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(references));
    return true;
  } catch {
    return false;
  }
}

const newId = () => `r${Date.now().toString(36)}${Math.random().toString(36).slice(2, 7)}`;

/** The list of references, which is stored in this browser and shared by its tabs. */
export function useReferences() {
  const [references, setReferences] = useState<readonly Reference[]>([]);
  const current = useRef(references);
  // Without storage, the list lasts as long as the page is open.
  const isStored = useRef(true);
  const show = useCallback((next: readonly Reference[]) => {
    current.current = next;
    setReferences(next);
  }, []);
  useEffect(() => {
    const readAgain = () => show((isStored.current ? readStored() : undefined) ?? current.current);
    const onStorage = ({ key }: StorageEvent) => {
      if (key === null || key === STORAGE_KEY) readAgain();
    };
    readAgain();
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [show]);
  // Changes the stored list and not the rendered one, because another tab may have changed it, or a lookup may finish
  // later.
  const change = (toNext: (before: readonly Reference[]) => readonly Reference[]) => {
    const next = toNext((isStored.current ? readStored() : undefined) ?? current.current);
    isStored.current = store(next);
    show(next);
  };
  const add = (found: readonly Omit<Reference, "id">[]) => {
    const added = found.map((reference) => ({ ...reference, id: newId() }));
    change((before) => [...before, ...added]);
  };
  return { references, change, add };
}
