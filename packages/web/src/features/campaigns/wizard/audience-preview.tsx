import type { Audience, AudienceFileRow } from '@carillon/contract/audience'
import { countOf, formatCount } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Region } from '../../../ui/region.tsx'

/** The first rows of the file; unusable numbers are marked, with the reason below. */
export function AudiencePreview({ audience, onClose }: { audience: Audience; onClose: () => void }) {
  const { _id: id, columns, mapping, total, fileName } = audience
  const first = useApi('audience.rows', { path: { id } }, { staleTime: 60_000 })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="large"
      title="Preview"
      description={
        total > 100
          ? `First 100 of ${formatCount(total)} rows of ${fileName}`
          : `${countOf(total, 'row')} of ${fileName}`
      }
    >
      <Region read={first} label="the rows" lines={8}>
        {({ rows }) => <Rows rows={rows} columns={columns} phoneColumn={mapping?.phoneColumn} />}
      </Region>
    </Dialog>
  )
}

type RowsProps = { rows: readonly AudienceFileRow[]; columns: readonly string[]; phoneColumn: number | undefined }

const cell = 'h-9 max-w-60 truncate border-b border-line px-3'

function Rows({ rows, columns, phoneColumn }: RowsProps) {
  return (
    <div
      className="max-h-[min(60dvh,560px)] overflow-auto rounded-md border border-border"
      tabIndex={0}
      role="region"
      aria-label="Rows of the file"
    >
      <table className="w-full border-separate border-spacing-0 whitespace-nowrap tabular-nums">
        <thead className="text-left text-caption text-muted-foreground">
          <tr>
            <th scope="col" className="sticky top-0 z-10 h-8 border-b border-border bg-popover px-3 font-medium">
              Row
            </th>
            {columns.map((column, index) => (
              <th
                key={index}
                scope="col"
                className="sticky top-0 z-10 h-8 border-b border-border bg-popover px-3 font-medium"
              >
                {column || `Column ${index + 1}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, values, problem }) => (
            <tr key={row}>
              <th scope="row" className={`${cell} text-left font-normal text-muted-foreground`}>
                {formatCount(row)}
              </th>
              {columns.map((_, index) =>
                index === phoneColumn && problem ? (
                  <td key={index} className={`${cell} max-w-none`}>
                    <span className="font-mono text-dense tracking-normal text-danger-text underline decoration-destructive/70 decoration-wavy underline-offset-3">
                      {values[index] || '(empty)'}
                    </span>
                    <span className="ml-2 text-caption text-danger-text">{problem}</span>
                  </td>
                ) : (
                  <td key={index} className={cell} title={values[index]}>
                    {values[index] ? (
                      <span className={index === phoneColumn ? 'font-mono text-dense tracking-normal' : ''}>
                        {values[index]}
                      </span>
                    ) : (
                      <span className="text-muted-foreground">(empty)</span>
                    )}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
