import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { useApiWrite } from '../../../lib/use-api.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { endpointName } from './endpoint-labels.ts'
import { endpointReads } from './webhook-reads.ts'

type EnableDialogProps = { endpoint: WebhookEndpoint; enabled: boolean; onClose: () => void }

const texts = {
  enable: {
    title: 'Enable',
    text: 'New events are sent to it again. Those that were kept meanwhile are sent with Replay missed.',
    done: 'was enabled',
    detail: 'Replay missed sends the events that were kept.',
  },
  disable: {
    title: 'Disable',
    text: 'Nothing more is sent to it. New events are kept, and can be replayed once it is enabled again.',
    done: 'was disabled',
    detail: 'It applies within 5 seconds.',
  },
} as const

/** Enables or disables an endpoint. */
export function EnableDialog({ endpoint, enabled, onClose }: EnableDialogProps) {
  const { title, text, done, detail } = texts[enabled ? 'enable' : 'disable']
  const name = endpointName(endpoint)
  const update = useApiWrite('webhookEndpoints.update', {
    refreshes: endpointReads,
    onSuccess() {
      onClose()
      toast.success(`${name} ${done}`, { description: detail })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${title} ${name}?`}
      description={text}
      action={`${title} endpoint`}
      loading={update.isPending}
      onConfirm={() => update.mutate({ path: { id: endpoint.id }, body: { enabled } })}
    >
      {update.error ? <Notice tone="bad">{update.error.message}</Notice> : null}
    </ConfirmDialog>
  )
}
