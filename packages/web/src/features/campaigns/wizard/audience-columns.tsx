import type { Audience, AudienceChoice } from '@carillon/contract/audience'
import { useState } from 'react'
import { countOf, formatCount, missing } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { columnUsedFor, variableOf, type AudienceFill } from '../../../channels/parts/audience-fill.ts'
import { countries } from './countries.ts'

const AudiencePreview = lazyDialog(() => import('./audience-preview.tsx').then((code) => code.AudiencePreview))

type Mapping = NonNullable<Audience['mapping']>

type AudienceColumnsProps = {
  audience: Audience
  fill: AudienceFill
  /** Names of what each column fills, by index; includes uses that are not chosen here, such as a header's file. */
  used: ReadonlyMap<number, string>
  isBusy: boolean
  onMapping: (choice: AudienceChoice) => void
}

const firstMapping: Mapping = { phoneColumn: 0, defaultCountry: 'IN' }

/** The columns of the file: the phone number, the variables they fill, and the number of empty cells. */
export function AudienceColumns(props: AudienceColumnsProps) {
  const { audience, used, isBusy, onMapping } = props
  const { columns, format, mapping = firstMapping } = audience
  const [isPreviewing, setPreviewing] = useState(false)
  if (columns.length === 0) return null
  return (
    <section aria-labelledby="columns-title">
      <div className="mb-1 flex min-h-8 flex-wrap items-center gap-2">
        <h2 id="columns-title" className="text-section font-semibold">
          Columns
        </h2>
        <p className="flex-1 text-dense whitespace-nowrap text-muted-foreground">
          {formatCount(columns.length)} found, {formatCount(used.size + 1)} used
        </p>
        {audience.status === 'ready' ? (
          <Button size="tool" variant="ghost" className="max-md:h-11" onClick={() => setPreviewing(true)}>
            Preview {countOf(Math.min(100, audience.total), 'row')}
          </Button>
        ) : null}
        <div className="flex items-center gap-2 max-md:w-full max-md:justify-between">
          <span className="text-dense text-muted-foreground">Default country</span>
          <Select
            size="tool"
            aria-label="Country of numbers without a country code"
            className="w-46 max-md:w-40"
            disabled={isBusy || audience.savedAs !== undefined}
            value={mapping.defaultCountry}
            onValueChange={(defaultCountry) => onMapping({ ...mapping, defaultCountry })}
            options={countries}
          />
        </div>
      </div>
      <table className="w-full table-fixed border-y border-border">
        <thead className="text-left text-caption text-muted-foreground">
          <tr className="h-8 border-b border-border [&>th]:pr-3 [&>th]:font-medium">
            <th scope="col">{format === 'pasted' ? 'Pasted' : 'In your file'}</th>
            <th scope="col" className="max-md:hidden">
              First row
            </th>
            <th scope="col" className="w-52 max-md:w-44 lg:max-xl:w-36">
              Used as
            </th>
            <th scope="col" className="w-20 pr-0! text-right max-md:w-14 lg:max-xl:w-12">
              Empty
            </th>
          </tr>
        </thead>
        <tbody>
          {columns.map((_, index) => (
            <ColumnRow key={index} {...props} index={index} mapping={mapping} />
          ))}
        </tbody>
      </table>
      {isPreviewing ? <AudiencePreview audience={audience} onClose={() => setPreviewing(false)} /> : null}
    </section>
  )
}

type ColumnRowProps = AudienceColumnsProps & { index: number; mapping: Mapping }

function ColumnRow(props: ColumnRowProps) {
  const { audience, fill, index } = props
  const name = audience.columns[index] || `Column ${index + 1}`
  const filled = variableOf(fill, index)
  const empty = audience.emptyCells?.[index]
  const isLacking = empty !== undefined && empty > 0 && filled >= 0

  return (
    <>
      <tr
        className={`h-10 max-md:h-12 [&>td]:truncate [&>td]:pr-3 ${isLacking ? '' : 'border-b border-line last:border-0'}`}
      >
        <td className="font-mono text-dense tracking-normal">{name}</td>
        <td className="max-md:hidden" title={audience.sample[0]?.[index]}>
          {audience.sample[0]?.[index] ?? ''}
        </td>
        <td>
          <UsedAs {...props} name={name} />
        </td>
        <td className={`pr-0! text-right tabular-nums ${isLacking ? 'text-warning-text' : ''}`}>
          {empty === undefined ? missing : formatCount(empty)}
        </td>
      </tr>
      {isLacking ? <EmptyCells name={name} empty={empty} fill={fill} place={filled} /> : null}
    </>
  )
}

/** The phone number, one of the template's variables, or nothing. */
function UsedAs({ audience, fill, used, isBusy, onMapping, index, mapping, name }: ColumnRowProps & { name: string }) {
  const isPhone = index === mapping.phoneColumn
  const filled = variableOf(fill, index)

  function choose(use: string) {
    if (use === 'phone') return onMapping({ ...mapping, phoneColumn: index })
    const place = use === 'other' ? undefined : Number(use)
    return fill.onSources(columnUsedFor(fill, { column: index, index: place }))
  }

  return (
    <Select
      size="tool"
      aria-label={`${name} is used as`}
      disabled={isBusy}
      value={isPhone ? 'phone' : filled >= 0 ? String(filled) : 'other'}
      onValueChange={choose}
      options={[
        { value: 'phone', label: 'Phone number', disabled: audience.savedAs !== undefined && !isPhone },
        ...fill.variables.map(({ label }, place) => ({
          value: String(place),
          label: `Variable: ${label}`,
          disabled: isPhone,
        })),
        {
          value: 'other',
          label: filled < 0 && used.has(index) ? `Variable: ${used.get(index)}` : 'Not used',
          disabled: isPhone,
        },
      ]}
    />
  )
}

type EmptyCellsProps = { name: string; empty: number; fill: AudienceFill; place: number }

/** The default value for empty cells; without one, those people are skipped. */
function EmptyCells({ name, empty, fill, place }: EmptyCellsProps) {
  const source = fill.variables[place]?.source
  if (!source) return null
  const isFilled = source.fallback !== ''
  return (
    <tr className="border-b border-line last:border-0">
      <td colSpan={4} className="pb-2.5">
        <label className="flex flex-wrap items-center gap-x-2 gap-y-1 text-dense text-muted-foreground">
          <span>
            {countOf(empty, 'person', 'people')} {isFilled ? 'get this value' : 'skipped without a default value'}
          </span>
          <Input
            size="sm"
            className="w-52 max-md:w-full"
            aria-label={`Value for people without ${name}`}
            placeholder="Default value"
            maxLength={200}
            value={source.fallback}
            onChange={(event) =>
              fill.onSources([{ index: place, source: { ...source, fallback: event.target.value } }])
            }
          />
        </label>
      </td>
    </tr>
  )
}
