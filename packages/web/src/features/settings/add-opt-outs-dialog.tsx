import { defaultChannels } from '@carillon/contract/constants'
import { maximumOptOutBytes, OptOutScope, type OptOutResult } from '@carillon/contract/opt-outs'
import { FileSpreadsheet } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { countOf, formatCount } from '../../lib/format.ts'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioGroup } from '../../ui/radio.tsx'
import { scopeHelp, scopeLabel } from './opt-out-labels.ts'

/** Adds one number, a pasted list or a file, then shows the result by row. */
export function AddOptOutsDialog({ onClose }: { onClose: () => void }) {
  const [scope, setScope] = useState<OptOutScope>(defaultChannels.optOuts)
  const [numbers, setNumbers] = useState('')
  const [file, setFile] = useState<File>()
  const [missing, setMissing] = useState<string>()
  const add = useApiWrite('optOuts.add', { refreshes: ['optOuts.list'] })
  if (add.data) return <AddedDialog result={add.data} scope={scope} onClose={onClose} />

  function submit(event: FormEvent) {
    event.preventDefault()
    const isEmpty = !file && !/\d/.test(numbers)
    setMissing(isEmpty ? 'Enter a number, or choose a file' : undefined)
    if (!isEmpty) add.mutate({ body: file ? { scope } : { scope, numbers }, files: { file } })
  }

  const messages = fieldMessages(add.error)
  const unplaced = unplacedMessage(add.error, ['numbers'])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title="Add numbers to the opt-outs"
      description="They are left out of every campaign from now on, including running ones."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="add-opt-outs" variant="primary" loading={add.isPending}>
            Add to opt-outs
          </Button>
        </>
      }
    >
      <form id="add-opt-outs" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <RadioGroup
          label="Opted out of"
          value={scope}
          onValueChange={setScope}
          choices={OptOutScope.options.map((value) => ({
            value,
            label: scopeLabel(value),
            help: scopeHelp(value),
          }))}
        />
        {file ? (
          <ChosenFile name={file.name} onRemove={() => setFile(undefined)} />
        ) : (
          <>
            <Field
              label="Numbers"
              help="One per line, or separated by commas. Numbers outside India need their country code."
              error={missing ?? messages['numbers']}
            >
              <Textarea
                rows={5}
                maxLength={2_000_000}
                spellCheck={false}
                className="font-mono"
                placeholder={'98450 11208\n+91 99004 12768'}
                value={numbers}
                onChange={(event) => {
                  setNumbers(event.target.value)
                  setMissing(undefined)
                }}
              />
            </Field>
            <FileDrop
              compact
              title="Or drop a CSV or Excel file here"
              help="The phone number column is detected automatically."
              accept=".csv,.xlsx,.txt"
              maximumBytes={maximumOptOutBytes}
              onFile={setFile}
            />
          </>
        )}
        {unplaced ? <Notice tone="bad">{unplaced}</Notice> : null}
      </form>
    </Dialog>
  )
}

function ChosenFile({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <div className="flex min-h-12 items-center gap-3 rounded-lg border border-border bg-card px-3">
      <FileSpreadsheet aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <Button size="sm" variant="ghost" onClick={onRemove}>
        Remove file
      </Button>
    </div>
  )
}

type AddedDialogProps = { result: OptOutResult; scope: OptOutScope; onClose: () => void }

function AddedDialog({ result, scope, onClose }: AddedDialogProps) {
  const { added, already, duplicate, invalid, sampleErrors } = result
  const counts = [
    { label: 'New', count: added },
    { label: 'Already opted out', count: already },
    { label: 'Repeated in the list', count: duplicate },
    { label: 'Invalid', count: invalid },
  ]
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title={added === 0 ? 'No new opt-outs' : `${countOf(added, 'number')} added`}
      description={`Opted out of ${scopeLabel(scope)}.`}
      footer={
        <Button variant="primary" autoFocus onClick={onClose}>
          Done
        </Button>
      }
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 tabular-nums">
        {counts.map(({ label, count }) => (
          <div key={label} className="flex items-baseline justify-between gap-3 border-b border-line pb-2">
            <dt className="text-muted-foreground">{label}</dt>
            <dd className="font-medium">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {sampleErrors.length > 0 ? (
        <>
          <h3 className="mt-5 mb-1 font-medium">
            {invalid > sampleErrors.length ? `First ${formatCount(sampleErrors.length)} invalid rows` : 'Invalid rows'}
          </h3>
          <ul className="border-t border-line">
            {sampleErrors.map(({ row, value, message }) => (
              <li key={row} className="flex flex-wrap gap-x-3 border-b border-line py-2 text-dense">
                <span className="w-14 text-muted-foreground tabular-nums">Row {formatCount(row)}</span>
                <span className="font-mono tracking-normal text-danger-text">{value || '(empty)'}</span>
                <span className="text-muted-foreground">{message}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </Dialog>
  )
}
