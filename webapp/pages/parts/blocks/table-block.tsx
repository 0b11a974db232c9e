import { MoreHorizontal, Plus } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { readTable } from "#shared/pages/document.ts";
import { lexInline, parseInline } from "#shared/pages/markdown-inline.ts";
import { writeTable, type TableRows } from "#shared/pages/tables.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { useDraft } from "#webapp/app/hooks/use-draft.ts";
import { Runs } from "#webapp/ui/formatted-text.tsx";
import type { BlockProps } from "../../page-port.tsx";
import { UnknownBlock } from "./plain-blocks.tsx";
import { addColumn, addRow, removeColumn, removeRow, setCell, type CellPosition } from "../../table-edits.ts";
import "./table-block.css";

const DEBOUNCE_MS = 500;
/** A longer table, such as an imported list, shows all rows only after a press of the button. */
const ROWS_SHOWN = 200;

interface CellProps {
  text: string;
  position: CellPosition;
  onText: (text: string) => void;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/** A table cell. It shows its Markdown source while it has the focus, and formatted text otherwise. */
function Cell({ text, position: { row, column }, onText, onFocus, onKeyDown }: CellProps) {
  const { shown, write, end } = useDraft({ value: text, debounceMs: DEBOUNCE_MS, onValue: onText });
  const runs = useMemo(() => parseInline(lexInline(shown)), [shown]);
  return (
    <div className="table-cell" dir="auto">
      <span className="table-cell-shown" aria-hidden>
        <Runs runs={runs} />
        {"\u200B"}
      </span>
      <textarea
        rows={1}
        dir="auto"
        data-cell={`${row}:${column}`}
        aria-label={
          row === 0
            ? t("pages.table_head", { column: column + 1 })
            : t("pages.table_cell", { row: row + 1, column: column + 1 })
        }
        value={shown}
        onFocus={onFocus}
        onChange={(event) => write(event.target.value)}
        onBlur={end}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

interface TableMenuProps {
  rows: TableRows;
  getPosition: () => CellPosition;
  onRows: (rows: TableRows, focus: CellPosition) => void;
}

/** Actions on the row and the column of the last used cell. */
function TableMenu({ rows, getPosition, onRows }: TableMenuProps) {
  const change =
    (edit: (rows: TableRows, position: CellPosition) => { rows: TableRows; focus: CellPosition }) => () => {
      const next = edit(rows, getPosition());
      onRows(next.rows, next.focus);
    };
  return (
    <Menu
      trigger={<IconButton label={t("pages.table_menu")} icon={<MoreHorizontal aria-hidden />} />}
      groups={[
        [
          { label: t("pages.table_row_above"), onSelect: change((all, p) => addRow(all, Math.max(1, p.row))) },
          { label: t("pages.table_row_below"), onSelect: change((all, p) => addRow(all, p.row + 1)) },
          { label: t("pages.table_column_before"), onSelect: change((all, p) => addColumn(all, p.column, p.row)) },
          { label: t("pages.table_column_after"), onSelect: change((all, p) => addColumn(all, p.column + 1, p.row)) },
        ],
        [
          { label: t("pages.table_remove_row"), danger: true, disabled: rows.length < 2, onSelect: change(removeRow) },
          {
            label: t("pages.table_remove_column"),
            danger: true,
            disabled: (rows[0]?.length ?? 0) < 2,
            onSelect: change(removeColumn),
          },
        ],
      ]}
    />
  );
}

/** Focuses a cell once it is rendered. */
function useCellFocus() {
  const table = useRef<HTMLDivElement>(null);
  const pending = useRef<CellPosition | null>(null);
  const focusCell = ({ row, column }: CellPosition): boolean => {
    const cell = table.current?.querySelector<HTMLTextAreaElement>(`[data-cell="${row}:${column}"]`);
    cell?.focus();
    cell?.setSelectionRange(cell.value.length, cell.value.length);
    return cell !== null && cell !== undefined;
  };
  useLayoutEffect(() => {
    if (pending.current && focusCell(pending.current)) pending.current = null;
  });
  const focusLater = (position: CellPosition) => {
    pending.current = position;
  };
  return { table, focusCell, focusLater };
}

/** The cell to which a key moves the focus; undefined if the focus stays. */
function findTarget(event: KeyboardEvent<HTMLTextAreaElement>, { row, column }: CellPosition) {
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  if (event.shiftKey || event.nativeEvent.isComposing) return undefined;
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) return { row: row + 1, column };
  if (event.key === "ArrowDown" && selectionEnd === value.length) return { row: row + 1, column };
  return event.key === "ArrowUp" && selectionStart === 0 && row > 0 ? { row: row - 1, column } : undefined;
}

export function TableBlock(props: BlockProps) {
  const rows = readTable(props.block.content);
  return rows ? <Table {...props} rows={rows} /> : <UnknownBlock {...props} />;
}

function Table({ block, edit, rows }: BlockProps & { rows: TableRows }) {
  const [isWhole, setWhole] = useState(false);
  const last = useRef<CellPosition>({ row: rows.length - 1, column: 0 });
  const { table, focusCell, focusLater } = useCellFocus();
  const change = (next: TableRows) => edit({ ...block.content, text: [{ content: writeTable(next) }] });
  const changeAndFocus = (next: TableRows, focus: CellPosition) => {
    focusLater(focus);
    change(next);
  };
  const onKeyDown = (position: CellPosition) => (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const target = findTarget(event, position);
    if (!target || (target.row >= rows.length && event.key !== "Enter")) return;
    event.preventDefault();
    if (target.row < rows.length) focusCell(target);
    else changeAndFocus(addRow(setCell(rows, position, event.currentTarget.value), rows.length).rows, target);
  };
  const shown = isWhole ? rows : rows.slice(0, ROWS_SHOWN);
  const onShowAll = rows.length > shown.length ? () => setWhole(true) : undefined;
  const renderCell = (text: string, position: CellPosition) => (
    <Cell
      text={text}
      position={position}
      onText={(value) => change(setCell(rows, position, value))}
      onFocus={() => {
        last.current = position;
      }}
      onKeyDown={onKeyDown(position)}
    />
  );
  return (
    <div className="table-block" ref={table}>
      <div className="table-block-scroll" role="region" aria-label={t("pages.table")}>
        <table>
          <tbody>
            {shown.map((cells, row) => (
              <tr key={row}>
                {cells.map((text, column) => {
                  const cell = renderCell(text, { row, column });
                  return row === 0 ? (
                    <th key={column} scope="col">
                      {cell}
                    </th>
                  ) : (
                    <td key={column}>{cell}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <TableActions {...{ rows, onShowAll }} getPosition={() => last.current} onRows={changeAndFocus} />
    </div>
  );
}

function TableActions({
  rows,
  onShowAll,
  getPosition,
  onRows,
}: TableMenuProps & { onShowAll: (() => void) | undefined }) {
  const width = rows[0]?.length ?? 0;
  const append = ({ rows: next, focus }: { rows: TableRows; focus: CellPosition }) => onRows(next, focus);
  return (
    <div className="table-block-actions">
      {onShowAll && (
        <Button variant="quiet" onClick={onShowAll}>
          {t("pages.table_show_all", { count: rows.length - 1 })}
        </Button>
      )}
      <Button variant="quiet" icon={<Plus aria-hidden />} onClick={() => append(addRow(rows, rows.length))}>
        {t("pages.table_row")}
      </Button>
      <Button variant="quiet" icon={<Plus aria-hidden />} onClick={() => append(addColumn(rows, width, 0))}>
        {t("pages.table_column")}
      </Button>
      <TableMenu rows={rows} getPosition={getPosition} onRows={onRows} />
    </div>
  );
}
