import { previewRows, type ReportDetails } from '@carillon/contract/report-file-records'
import clsx from 'clsx'
import { countOf, formatCount } from '../../lib/format.ts'
import { Missing } from '../../ui/text.tsx'
import { formatCell, isNumber } from './report-values.ts'

const edge = 'px-2.5 first:pl-3 last:pr-3'

/** The first rows of a report, as in its file. */
export function ReportPreview({ details: { columns, preview, rows } }: { details: ReportDetails }) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="font-semibold">Preview</h3>
        <span className="text-caption text-muted-foreground tabular-nums">
          {rows > previewRows ? `First ${previewRows} of ${formatCount(rows)} rows` : countOf(rows, 'row')}
        </span>
      </div>
      {preview.length === 0 ? (
        <p className="text-muted-foreground">There is nothing in these days, so the file has no rows.</p>
      ) : (
        <div
          className="relative max-h-96 overflow-auto rounded-lg border border-border"
          role="region"
          aria-label="Preview"
          tabIndex={0}
        >
          <table className="w-full border-separate border-spacing-0 text-dense whitespace-nowrap tabular-nums">
            <caption className="sr-only">The first rows of the report</caption>
            <thead>
              <tr>
                {columns.map(({ key, title, unit }) => (
                  <th
                    key={key}
                    scope="col"
                    className={clsx(
                      'sticky top-0 h-8 border-b border-border bg-sunken text-caption font-medium text-muted-foreground',
                      isNumber(unit) ? 'text-right' : 'text-left',
                      edge,
                    )}
                  >
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.map((row, index) => (
                // Rows have no id, and their order never changes.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={index} className="[&:last-child>*]:border-0">
                  {columns.map((column, place) => (
                    <PreviewCell key={column.key} value={row[place] ?? null} unit={column.unit} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

type PreviewCellProps = {
  value: ReportDetails['preview'][number][number]
  unit: ReportDetails['columns'][number]['unit']
}

function PreviewCell({ value, unit }: PreviewCellProps) {
  return (
    <td className={clsx('h-8 border-b border-line', isNumber(unit) && 'text-right', edge)}>
      <span className="block max-w-72 truncate">
        {value === null || value === '' ? <Missing /> : formatCell(value, unit)}
      </span>
    </td>
  )
}
