import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { useState } from 'react'
import type { CallData } from '../../../lib/call.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioGroup } from '../../../ui/radio.tsx'
import { Scheme } from './endpoint-fields.tsx'
import { endpointName } from './endpoint-labels.ts'
import { endpointReads } from './webhook-reads.ts'

type RotateSecretDialogProps = {
  endpoint: WebhookEndpoint
  onClose: () => void
  onRotated: (endpoint: CallData<'webhookEndpoints.rotateSecret'>) => void
}

/** Gives an endpoint a new secret or key pair. The present one may sign as well for a day. */
export function RotateSecretDialog({ endpoint, onClose, onRotated }: RotateSecretDialogProps) {
  const { id, previousSecretUntil } = endpoint
  const [overlap, setOverlap] = useState<'24' | '0'>('24')
  const [signature, setSignature] = useState(endpoint.signature)
  const rotate = useApiWrite('webhookEndpoints.rotateSecret', { refreshes: endpointReads, onSuccess: onRotated })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="medium"
      title="Rotate secret?"
      description={`Requests to ${endpointName(endpoint)} are signed with a new secret.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={overlap === '0' ? 'destructive' : 'primary'}
            loading={rotate.isPending}
            onClick={() => rotate.mutate({ path: { id }, body: { overlapHours: Number(overlap), signature } })}
          >
            Rotate secret
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioGroup
          label="The old secret"
          value={overlap}
          onValueChange={setOverlap}
          choices={[
            {
              value: '24',
              label: 'Sign with both secrets for 24 hours',
              help: 'Your server verifies with either one until you have deployed the new one',
            },
            { value: '0', label: 'End the old one now', help: 'Your server rejects requests until it has the new one' },
          ]}
        />
        <Scheme draft={{ signature }} onChange={(patch) => patch.signature && setSignature(patch.signature)} />
        {previousSecretUntil ? (
          <Notice tone="care">
            The secret before the present one signs until {formatDateTime(previousSecretUntil)}. It ends now.
          </Notice>
        ) : null}
        {rotate.error ? <Notice tone="bad">{rotate.error.message}</Notice> : null}
      </div>
    </Dialog>
  )
}
