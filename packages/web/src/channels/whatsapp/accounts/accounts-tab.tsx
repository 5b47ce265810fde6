import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { useState } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { formatCount } from '../../../lib/format.ts'
import { connectionGone } from '../../../lib/campaign-effects.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { CampaignsAffected } from '../../../ui/campaigns-affected.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ConnectSheet } from './connect-sheet.tsx'
import { StepList } from './step-list.tsx'

/** Accounts with their connection steps, and actions to change or disconnect them. */
export function AccountsTab({ connections }: { connections: readonly WhatsappConnection[] }) {
  return (
    <div className="grid gap-x-10 gap-y-8 py-6 screen-x xl:grid-cols-2">
      {connections.map((connection) => (
        <Account key={connection._id} connection={connection} />
      ))}
    </div>
  )
}

function Account({ connection }: { connection: WhatsappConnection }) {
  const [open, setOpen] = useState<'change' | 'disconnect'>()
  const { _id, name, waba_id, isReady, numbers, callbackUrl } = connection
  const disconnect = useApiWrite('wabas.disconnect', {
    refreshes: ['wabas.list', 'wabas.active'],
    onSuccess: () => {
      toast.success(`${name} is disconnected`)
      setOpen(undefined)
    },
    onError: (error) => toast.error(error.message),
  })
  return (
    <section aria-labelledby={`account-${_id}`} className="min-w-0">
      <header className="flex flex-wrap items-center gap-2">
        <h2 id={`account-${_id}`} className="text-section font-semibold">
          {name}
        </h2>
        <Pill tone={isReady ? 'good' : 'care'}>{isReady ? 'Connected' : 'Not finished'}</Pill>
        {mayCall('wabas.change') ? (
          <span className="ml-auto flex gap-1">
            <Button size="sm" onClick={() => setOpen('change')}>
              Change
            </Button>
            <Button size="sm" variant="bad" onClick={() => setOpen('disconnect')}>
              Disconnect…
            </Button>
          </span>
        ) : null}
      </header>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-1 text-dense [&>dt]:text-muted-foreground">
        <dt>Account id</dt>
        <dd>
          <Copyable text={waba_id} label="Copy account id" />
        </dd>
        <dt>Callback URL</dt>
        <dd className="min-w-0">
          <Copyable text={callbackUrl} label="Copy callback URL" />
        </dd>
      </dl>
      <StepList connection={connection} />
      {open === 'change' ? <ConnectSheet connection={connection} onClose={() => setOpen(undefined)} /> : null}
      <ConfirmDialog
        open={open === 'disconnect'}
        onOpenChange={(isOpen) => !isOpen && setOpen(undefined)}
        title={`Disconnect ${name}?`}
        description={`${numbers.length === 1 ? 'Its number stops' : `Its ${formatCount(numbers.length)} numbers stop`} sending and receiving here, and its token and secret are deleted. Sent messages stay in your reports.`}
        action="Disconnect account"
        destructive
        loading={disconnect.isPending}
        onConfirm={() => disconnect.mutate({ path: { id: _id } })}
      >
        <CampaignsAffected needed={{ need: 'provider_account', ids: _id }} effects={connectionGone} />
      </ConfirmDialog>
    </section>
  )
}
