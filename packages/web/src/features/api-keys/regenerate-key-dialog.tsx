import type { ApiKey } from '@carillon/contract/api-key-records'
import { useState } from 'react'
import type { CallData } from '../../lib/call.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioGroup } from '../../ui/radio.tsx'
import { keyReads } from './key-reads.ts'

type Grace = '24' | '168' | '0'

type RegenerateKeyDialogProps = {
  apiKey: ApiKey
  onClose: () => void
  onRegenerated: (key: CallData<'apiKeys.regenerate'>) => void
}

/** Gives a key a new secret. The present one may stay valid for a while. */
export function RegenerateKeyDialog({ apiKey, onClose, onRegenerated }: RegenerateKeyDialogProps) {
  const [grace, setGrace] = useState<Grace>('24')
  const regenerate = useApiWrite('apiKeys.regenerate', { refreshes: keyReads, onSuccess: onRegenerated })
  const { id, name, graceUntil } = apiKey
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Regenerate ${name}?`}
      description="The key gets a new secret. Name, scopes and limits stay."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={grace === '0' ? 'destructive' : 'primary'}
            loading={regenerate.isPending}
            onClick={() => regenerate.mutate({ path: { id }, body: { graceHours: Number(grace) } })}
          >
            Regenerate key
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <RadioGroup
          label="The old secret"
          value={grace}
          onValueChange={setGrace}
          choices={[
            { value: '24', label: 'Keep the old secret for 24 hours', help: 'Time to deploy the new one everywhere' },
            { value: '168', label: 'Keep the old secret for 7 days' },
            { value: '0', label: 'End the old one now', help: 'Calls with it fail within 5 seconds' },
          ]}
        />
        {graceUntil ? (
          <Notice tone="care">
            The secret before the present one is valid until {formatDateTime(graceUntil)}. It ends now.
          </Notice>
        ) : null}
        {regenerate.error ? <Notice tone="bad">{regenerate.error.message}</Notice> : null}
      </div>
    </Dialog>
  )
}
