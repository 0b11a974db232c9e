import { Trash2 } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { type Point, moveRegionByKey, regionBetween } from "#shared/flashcards/occlusion-regions.ts";
import type { Region } from "#shared/flashcards/schema.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { TextField } from "../controls/text-field.tsx";
import "./region-editor.css";

export interface Regions {
  all: readonly Region[];
  add: (region: Region) => void;
  change: (region: Region) => void;
  remove: (id: string) => void;
}

export function useRegions(): Regions {
  const [all, setAll] = useState<readonly Region[]>([]);
  return {
    all,
    add: (region) => setAll((current) => [...current, region].slice(0, 100)),
    change: (region) => setAll((current) => current.map((other) => (other.id === region.id ? region : other))),
    remove: (id) => setAll((current) => current.filter((region) => region.id !== id)),
  };
}

const percent = (share: number) => `${share * 100}%`;
const regionStyle = ({ x, y, w, h }: Pick<Region, "x" | "y" | "w" | "h">) => ({
  left: percent(x),
  top: percent(y),
  width: percent(w),
  height: percent(h),
});

const clampShare = (value: number) => Math.min(1, Math.max(0, value));

function pointOn(container: HTMLElement, { clientX, clientY }: PointerEvent): Point {
  const box = container.getBoundingClientRect();
  return { x: clampShare((clientX - box.left) / box.width), y: clampShare((clientY - box.top) / box.height) };
}

interface EditorProps {
  label: string;
  regions: Regions;
  /** The accessible name of a region, by its number from 1. */
  partLabel: (number: number) => string;
  /** The picture. */
  children: ReactNode;
}

interface LabelsProps {
  regions: Regions;
  fieldLabel: (number: number) => string;
  removeLabel: (number: number) => string;
}

/** A picture on which regions are drawn by pointer or moved by keyboard. */
export function RegionEditor({ label, regions, partLabel, children }: EditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState<Point | null>(null);
  const [to, setTo] = useState<Point | null>(null);
  const drawn = from && to ? regionBetween(from, to) : undefined;
  const onKeyDown = (event: KeyboardEvent, region: Region) => {
    if (event.key === "Delete" || event.key === "Backspace") regions.remove(region.id);
    const next = moveRegionByKey(region, event.key, event.shiftKey);
    if (next) regions.change(next);
    if (next || event.key === "Delete" || event.key === "Backspace") event.preventDefault();
  };
  return (
    <div
      ref={container}
      className="hide-stage"
      role="group"
      aria-label={label}
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest(".hide-region")) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(pointOn(event.currentTarget, event));
        setTo(null);
      }}
      onPointerMove={(event) => from && setTo(pointOn(event.currentTarget, event))}
      onPointerUp={() => {
        if (drawn) regions.add(drawn);
        setFrom(null);
        setTo(null);
      }}
    >
      {children}
      {regions.all.map((region, at) => (
        <button
          key={region.id}
          type="button"
          className="hide-region"
          style={regionStyle(region)}
          aria-label={partLabel(at + 1)}
          onKeyDown={(event) => onKeyDown(event, region)}
        >
          {at + 1}
        </button>
      ))}
      {drawn && <span className="hide-region hide-drawn" style={regionStyle(drawn)} />}
    </div>
  );
}

/** The label of each hidden region, which is the answer of its card. */
export function RegionLabels({ regions, fieldLabel, removeLabel }: LabelsProps) {
  return (
    <ol className="hide-labels" role="list">
      {regions.all.map((region, at) => (
        <li key={region.id}>
          <TextField
            label={fieldLabel(at + 1)}
            value={region.label}
            maxLength={500}
            onChange={(event) => regions.change({ ...region, label: event.target.value })}
          />
          <IconButton
            label={removeLabel(at + 1)}
            icon={<Trash2 aria-hidden />}
            onClick={() => regions.remove(region.id)}
          />
        </li>
      ))}
    </ol>
  );
}
