import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { MessageSquareText, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AccountPeek } from './account-peek.tsx'
import { AccountRow } from './account-row.tsx'
import { AccountSheet } from './account-sheet.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { texts } from './texts.ts'

type Open = { kind: 'new' } | { kind: 'peek' | 'edit'; id: string } | undefined

/** The organisation's SMS accounts, refreshed every two seconds. */
export function SmsAccountsPage() {
  const accounts = useApi('smsAccounts.list', {}, { refetchInterval: 2000 })
  const [open, setOpen] = useState<Open>()
  if (!mayCall('smsAccounts.list'))
    return (
      <Page title={texts.title}>
        <Denied />
      </Page>
    )

  const connect = (variant: 'primary' | 'outline') =>
    mayCall('smsAccounts.create') ? (
      <Button variant={variant} size="sm" onClick={() => setOpen({ kind: 'new' })}>
        <Plus aria-hidden /> Connect account
      </Button>
    ) : undefined

  return (
    <Page title={texts.title} count={accounts.data?.length} actions={connect('primary')}>
      {accounts.isPending ? (
        <Loading label="Loading SMS accounts">
          <SkeletonLines count={6} />
        </Loading>
      ) : null}
      {accounts.isError ? (
        <Failure error={accounts.error} onRetry={() => void accounts.refetch()} staleSince={accounts.dataUpdatedAt} />
      ) : null}
      {accounts.data?.length === 0 ? <NoAccount connect={connect('outline')} /> : null}
      {accounts.data && accounts.data.length > 0 ? (
        <Loaded at={accounts.dataUpdatedAt} isStale={accounts.isError}>
          <AccountList accounts={accounts.data} onOpen={(id) => setOpen({ kind: 'peek', id })} />
        </Loaded>
      ) : null}
      <OpenAccount open={open} accounts={accounts.data ?? []} setOpen={setOpen} />
    </Page>
  )
}

function NoAccount({ connect }: { connect: ReactNode }) {
  return (
    <Empty icon={MessageSquareText} title={connect ? texts.firstUse : 'No SMS account yet'} actions={connect}>
      {connect
        ? 'You’ll need the SMPP or HTTP details from your operator. It takes about five minutes.'
        : 'Ask your account manager.'}
    </Empty>
  )
}

function AccountList({ accounts, onOpen }: { accounts: readonly SmsAccount[]; onOpen: (id: string) => void }) {
  const [deleting, setDeleting] = useState<SmsAccount>()
  const activate = useApiWrite('smsAccounts.activate', {
    refreshes: ['smsAccounts.list'],
    onError: (error) => toast.error(error.message),
  })
  return (
    <>
      <ul className="border-t border-border">
        {accounts.map((account) => (
          <AccountRow
            key={account._id}
            account={account}
            canChange={mayCall('smsAccounts.activate')}
            isSwitching={activate.isPending && activate.variables.body.id === account._id}
            onSwitch={(isActive) => activate.mutate({ body: { id: account._id, isActive } })}
            onOpen={() => onOpen(account._id)}
            onDelete={mayCall('smsAccounts.delete') ? () => setDeleting(account) : undefined}
          />
        ))}
      </ul>
      {deleting ? <DeleteAccountDialog account={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

type OpenAccountProps = { open: Open; accounts: readonly SmsAccount[]; setOpen: (open: Open) => void }

/** The sheet above the list: details, edit form, or a new account. */
function OpenAccount({ open, accounts, setOpen }: OpenAccountProps) {
  if (open?.kind === 'new') return <AccountSheet account={undefined} onClose={() => setOpen(undefined)} />
  const account = accounts.find(({ _id }) => _id === open?.id)
  if (!open || !account) return null
  if (open.kind === 'edit') return <AccountSheet account={account} onClose={() => setOpen(undefined)} />
  return (
    <AccountPeek
      account={account}
      canEdit={mayCall('smsAccounts.create')}
      onEdit={() => setOpen({ kind: 'edit', id: account._id })}
      onClose={() => setOpen(undefined)}
    />
  )
}
