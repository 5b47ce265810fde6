import { useState } from 'react'
import { countOf } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Textarea } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { countries } from './countries.ts'

type PasteNumbersProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onPaste: (numbers: string, defaultCountry: string) => void
}

/** Typed or pasted numbers, separated by line breaks or commas. */
export function PasteNumbers({ open, onOpenChange, onPaste }: PasteNumbersProps) {
  const [numbers, setNumbers] = useState('')
  const [country, setCountry] = useState<string>('IN')
  const count = numbers.split(/[\n,;]+/).filter((entry) => /\d/.test(entry)).length
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="medium"
      title="Paste numbers"
      description="One per line, or separated by commas. Spaces, dashes and a leading zero are fine."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="primary" disabled={count === 0} onClick={() => onPaste(numbers, country)}>
            {count === 0 ? 'Check numbers' : `Check ${countOf(count, 'number')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Numbers">
          <Textarea
            autoFocus
            rows={8}
            maxLength={2_000_000}
            spellCheck={false}
            className="font-mono"
            placeholder={'98450 11208\n+91 99004 12768'}
            value={numbers}
            onChange={(event) => setNumbers(event.target.value)}
          />
        </Field>
        <Field label="Default country" hint="for numbers without a country code">
          <Select value={country} onValueChange={setCountry} options={countries} />
        </Field>
      </div>
    </Dialog>
  )
}
