import { useState } from 'react'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Region } from '../../ui/region.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'
import { accountReads } from './reads.ts'
import type { ActionDialogProps } from './user-action.ts'
import { roleLabels } from './user-labels.ts'

/** Moves an account, with everyone below it, under another one. */
export function MoveDialog({ user, onClose }: ActionDialogProps) {
  const [parentId, setParentId] = useState('')
  const details = useApi('users.get', { path: { userId: user._id } })
  const move = useApiWrite('users.move', {
    refreshes: accountReads,
    onSuccess(moved) {
      onClose()
      toast.success(`${moved.name} is now under ${moved.parentName ?? 'you'}`)
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Move ${user.name}`}
      description="All accounts below it move with it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={parentId === ''}
            loading={move.isPending}
            onClick={() => move.mutate({ path: { userId: user._id }, body: { parentId } })}
          >
            Move account
          </Button>
        </>
      }
    >
      <Region read={details} label="the eligible accounts" lines={2}>
        {({ possibleParents, parentName }) => (
          <div className="flex flex-col gap-3">
            <Field label="Under" help={parentName ? `Now under ${parentName}` : undefined}>
              <Select
                value={parentId}
                placeholder={possibleParents.length === 0 ? 'No eligible account' : 'Choose an account'}
                disabled={possibleParents.length === 0}
                options={possibleParents.map(({ _id, name, type }) => ({
                  value: _id,
                  label: `${name} (${roleLabels[type].toLowerCase()})`,
                }))}
                onValueChange={setParentId}
              />
            </Field>
            {move.error ? <Notice tone="bad">{move.error.message}</Notice> : null}
          </div>
        )}
      </Region>
    </Dialog>
  )
}
