import { correctableReasons } from '@carillon/contract/corrections'
import { Check, Undo2 } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { formatCount, formatPhone } from '../../../lib/format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { RejectRow } from './reject-rows.ts'
import type { CorrectionsHandle } from './use-corrections.ts'

type RejectFixProps = {
  row: RejectRow
  /** Absent if the rows can no longer be corrected. */
  corrections: CorrectionsHandle | undefined
  onApplied: (row: number) => void
}

/** The fix of a row: its corrected number, a suggestion, a field for a number, or none. */
export function RejectFix({ row: { row, reject, correction }, corrections, onApplied }: RejectFixProps) {
  const apply = (phoneNumber: string) => {
    corrections?.apply({ row, phoneNumber })
    onApplied(row)
  }
  const isPending = corrections?.isPending(row) ?? false
  if (correction) {
    return (
      <ShownNumber phoneNumber={correction.phoneNumber} isMuted={reject !== undefined}>
        {corrections && !correction.automatic ? (
          <IconButton
            size="tool"
            className="max-md:size-11"
            label={`Undo the correction of row ${formatCount(row)}`}
            loading={isPending}
            onClick={() => apply('')}
          >
            <Undo2 aria-hidden />
          </IconButton>
        ) : null}
      </ShownNumber>
    )
  }
  if (!corrections || !reject || !correctableReasons.has(reject.code))
    return <span className="text-muted-foreground">Skip</span>
  const { suggestion } = reject
  if (suggestion) {
    return (
      <ShownNumber phoneNumber={suggestion}>
        <Button
          size="tool"
          variant="ghost"
          className="max-md:h-11"
          aria-label={`Use ${formatPhone(suggestion)} for row ${formatCount(row)}`}
          loading={isPending}
          onClick={() => apply(suggestion)}
        >
          Use
        </Button>
      </ShownNumber>
    )
  }
  return <NumberField row={row} error={corrections.refused.get(row)} isPending={isPending} onApply={apply} />
}

type ShownNumberProps = { phoneNumber: string; isMuted?: boolean; children: ReactNode }

function ShownNumber({ phoneNumber, isMuted, children }: ShownNumberProps) {
  return (
    <span className="flex items-center justify-between gap-1 max-md:justify-end">
      <span className={`font-mono text-dense tracking-normal ${isMuted ? 'text-muted-foreground' : ''}`}>
        {formatPhone(phoneNumber)}
      </span>
      {children}
    </span>
  )
}

type NumberFieldProps = {
  row: number
  error: string | undefined
  isPending: boolean
  onApply: (phoneNumber: string) => void
}

/** Enter applies the number and focuses the next field of the table. */
function NumberField({ row, error, isPending, onApply }: NumberFieldProps) {
  const [text, setText] = useState('')
  const [applied, setApplied] = useState('')
  const typed = text.trim()
  const isSame = typed === applied
  const canApply = typed !== '' && !(isSame && (isPending || error !== undefined))

  function apply() {
    if (!canApply) return
    setApplied(typed)
    onApply(typed)
  }

  function applyOnEnter(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    const { currentTarget: input } = event
    apply()
    if (typed !== '') nextField(input)?.focus()
  }

  return (
    <Field label={`Number for row ${formatCount(row)}`} labelHidden="always" error={isSame ? error : undefined}>
      <Input
        size="tool"
        className="md:max-w-40 max-md:w-44"
        inputMode="tel"
        autoComplete="off"
        placeholder="Type the number"
        maxLength={60}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={applyOnEnter}
        trailing={
          isPending && isSame ? (
            <Spinner className="size-4" />
          ) : typed === '' ? null : (
            <button
              type="button"
              aria-label={`Apply the number to row ${formatCount(row)}`}
              className="-mr-2 grid size-7 shrink-0 place-items-center rounded-md text-muted-foreground hover:text-foreground max-md:size-11"
              onClick={apply}
            >
              <Check aria-hidden className="size-4" />
            </button>
          )
        }
      />
    </Field>
  )
}

function nextField(input: HTMLInputElement): HTMLInputElement | undefined {
  const fields = [...(input.closest('table')?.querySelectorAll<HTMLInputElement>('input') ?? [])]
  return fields[fields.indexOf(input) + 1]
}
