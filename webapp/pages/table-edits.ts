import type { TableRows } from "#shared/pages/tables.ts";

export interface CellPosition {
  /** The header is row 0. */
  row: number;
  column: number;
}

interface TableEdit {
  rows: TableRows;
  /** The cell that is used next. */
  focus: CellPosition;
}

export const setCell = (rows: TableRows, { row, column }: CellPosition, text: string): TableRows =>
  rows.map((cells, index) => (index === row ? cells.with(column, text) : cells));

/** Adds an empty row with this index. */
export const addRow = (rows: TableRows, index: number): TableEdit => ({
  rows: rows.toSpliced(
    index,
    0,
    (rows[0] ?? [""]).map(() => ""),
  ),
  focus: { row: index, column: 0 },
});

/** Adds an empty column with this index; `row` is the row of the focus. */
export const addColumn = (rows: TableRows, index: number, row: number): TableEdit => ({
  rows: rows.map((cells) => cells.toSpliced(index, 0, "")),
  focus: { row, column: index },
});

/** The row below a removed header becomes the header. */
export const removeRow = (rows: TableRows, { row, column }: CellPosition): TableEdit => ({
  rows: rows.length < 2 ? rows : rows.toSpliced(row, 1),
  focus: { row: Math.max(0, Math.min(row, rows.length - 2)), column },
});

export const removeColumn = (rows: TableRows, { row, column }: CellPosition): TableEdit => ({
  rows: (rows[0]?.length ?? 0) < 2 ? rows : rows.map((cells) => cells.toSpliced(column, 1)),
  focus: { row, column: Math.max(0, column - 1) },
});
