import { channelTraits } from '@carillon/contract/channels/table'
import { useState, type FormEvent } from 'react'
import { campaignWizards } from '../../../channels/campaign-wizards.ts'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'

type SaveAudienceDialogProps = {
  id: string
  /** The suggested name; for a saved audience its current name. */
  name: string
  isRename?: boolean
  onClose: () => void
}

const channels = campaignWizards()
  .map(({ channel }) => channelTraits[channel].label)
  .join(' and ')

/** Saves an audience under a name, for later campaigns. */
export function SaveAudienceDialog({ id, name: suggested, isRename = false, onClose }: SaveAudienceDialogProps) {
  const [name, setName] = useState(suggested)
  const [missing, setMissing] = useState<string>()
  const save = useApiWrite('savedAudiences.save', {
    refreshes: ['savedAudiences.list', 'audience.get'],
    onSuccess() {
      onClose()
      toast.success(isRename ? 'Audience renamed' : 'Audience saved')
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const trimmed = name.trim()
    setMissing(trimmed ? undefined : 'Enter a name')
    if (trimmed) save.mutate({ path: { id }, body: { name: trimmed } })
  }

  const unplaced = unplacedMessage(save.error, ['name'])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title={isRename ? 'Rename audience' : 'Save audience'}
      description={
        isRename ? undefined : `Choose it for later campaigns, on ${channels}. Its rows can no longer change.`
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="save-audience" variant="primary" loading={save.isPending}>
            {isRename ? 'Rename' : 'Save audience'}
          </Button>
        </>
      }
    >
      <form id="save-audience" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="Name" error={missing ?? fieldMessages(save.error)['name']}>
          <Input
            maxLength={120}
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setMissing(undefined)
            }}
          />
        </Field>
        {unplaced ? <Notice tone="bad">{unplaced}</Notice> : null}
      </form>
    </Dialog>
  )
}
