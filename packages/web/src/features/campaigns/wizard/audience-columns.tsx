import type { Audience, AudienceChoice } from '@carillon/contract/audience'
import { formatCount } from '../../../lib/format.ts'
import { Select } from '../../../ui/select.tsx'
import { countries } from './countries.ts'

type Mapping = NonNullable<Audience['mapping']>

type AudienceColumnsProps = {
  audience: Audience
  /** Which variable each column fills, by its place. */
  used: ReadonlyMap<number, string>
  isBusy: boolean
  onMapping: (choice: AudienceChoice) => void
}

/** The columns of the file: the one with the numbers can be changed, the others fill variables. */
export function AudienceColumns({ audience, used, isBusy, onMapping }: AudienceColumnsProps) {
  const { columns, sample, format, mapping } = audience
  const current: Mapping = mapping ?? { phoneColumn: 0, defaultCountry: 'IN' }
  if (columns.length === 0) return null
  const country = (
    <Select
      size="tool"
      aria-label="Country of numbers without a country code"
      className="w-46 max-md:w-40"
      disabled={isBusy}
      value={current.defaultCountry}
      onValueChange={(defaultCountry) => onMapping({ ...current, defaultCountry })}
      options={countries}
    />
  )

  return (
    <section aria-labelledby="columns-title">
      <div className="mb-1 flex min-h-8 flex-wrap items-center gap-2">
        <h2 id="columns-title" className="text-section font-semibold">
          Columns
        </h2>
        <p className="flex-1 text-dense whitespace-nowrap text-muted-foreground">
          {formatCount(columns.length)} found, {formatCount(used.size + 1)} used
        </p>
        <div className="flex items-center gap-2 max-md:w-full max-md:justify-between">
          <span className="text-dense text-muted-foreground">Default country</span>
          {country}
        </div>
      </div>
      <table className="w-full table-fixed border-y border-border">
        <thead className="text-left text-caption text-muted-foreground">
          <tr className="h-8 border-b border-border [&>th]:pr-3 [&>th]:font-medium">
            <th scope="col">{format === 'pasted' ? 'Pasted' : 'In your file'}</th>
            <th scope="col">First row</th>
            <th scope="col" className="w-52 max-md:w-40">
              Used as
            </th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, index) => (
            <tr key={index} className="h-10 border-b border-line last:border-0 max-md:h-12 [&>td]:truncate [&>td]:pr-3">
              <td className="font-mono text-dense tracking-normal">{column || `Column ${index + 1}`}</td>
              <td>{sample[0]?.[index] ?? ''}</td>
              <td className="pr-0!">
                <Select
                  size="tool"
                  aria-label={`${column || `Column ${index + 1}`} is used as`}
                  disabled={isBusy}
                  value={index === current.phoneColumn ? 'phone' : 'other'}
                  onValueChange={(use) => use === 'phone' && onMapping({ ...current, phoneColumn: index })}
                  options={[
                    { value: 'phone', label: 'Phone number' },
                    {
                      value: 'other',
                      label: used.has(index) ? `Variable: ${used.get(index)}` : 'Not used',
                      disabled: index === current.phoneColumn,
                    },
                  ]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
