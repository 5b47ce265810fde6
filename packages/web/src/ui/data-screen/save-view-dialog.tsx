import type { SavedView } from '@carillon/contract/saved-views'
import { useState, type FormEvent } from 'react'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'
import { Dialog } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { Input } from '../input.tsx'
import { Notice } from '../notice.tsx'
import { toast } from '../toast.tsx'

type SaveViewDialogProps = Pick<SavedView, 'query' | 'columns'> & {
  list: string
  /** The view to rename; absent for a new one. */
  view: SavedView | undefined
  onClose: () => void
}

/** Saves the list's current state as a view, or renames a view. */
export function SaveViewDialog({ list, view, query, columns, onClose }: SaveViewDialogProps) {
  const [name, setName] = useState(view?.name ?? '')
  const [isDefault, setDefault] = useState(view?.isDefault ?? false)
  const [missing, setMissing] = useState<string>()
  const done = { refreshes: ['savedViews.list'] as const, onSuccess: finish }
  const create = useApiWrite('savedViews.create', done)
  const change = useApiWrite('savedViews.change', done)
  const { error, isPending } = view ? change : create

  function finish() {
    onClose()
    toast.success(`${name.trim()} was saved`)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const trimmed = name.trim()
    setMissing(trimmed ? undefined : 'Enter a name')
    if (!trimmed) return
    if (view) change.mutate({ path: { id: view._id }, body: { name: trimmed, isDefault } })
    else create.mutate({ body: { list, name: trimmed, query, columns, isDefault } })
  }

  const unplaced = unplacedMessage(error, ['name'])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title={view ? 'Rename view' : 'Save view'}
      description={view ? undefined : 'Saves the tab, search, filters, order and columns of this list for you.'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="save-view" variant="primary" loading={isPending}>
            {view ? 'Rename' : 'Save view'}
          </Button>
        </>
      }
    >
      <form id="save-view" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="Name" error={missing ?? fieldMessages(error)['name']}>
          <Input
            maxLength={60}
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setMissing(undefined)
            }}
          />
        </Field>
        <Checkbox
          label="Make this the default view"
          checked={isDefault}
          onChange={(event) => setDefault(event.target.checked)}
        />
        {unplaced ? <Notice tone="bad">{unplaced}</Notice> : null}
      </form>
    </Dialog>
  )
}
