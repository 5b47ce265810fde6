import type { SmsAccount } from '@carillon/contract/senders'
import { MessageSquareText, Plus } from 'lucide-react'
import { useState } from 'react'
import { mayCall } from '../../lib/call.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { AccountPeek } from './account-peek.tsx'
import { AccountRow } from './account-row.tsx'
import { AccountSheet } from './account-sheet.tsx'
import { texts } from './texts.ts'

type Open = { kind: 'new' } | { kind: 'peek' | 'edit'; id: string } | undefined

/** The organisation's SMS accounts, live: the list reads itself again every two seconds. */
export function SmsAccountsPage() {
  const accounts = useApi('smsAccounts.list', {}, { refetchInterval: 2000 })
  const [open, setOpen] = useState<Open>()
  const activate = useApiWrite('smsAccounts.activate', {
    refreshes: ['smsAccounts.list'],
    onError: (error) => toast.error(error.message),
  })
  const canEdit = mayCall('smsAccounts.create')
  if (!mayCall('smsAccounts.list')) return <Denied />

  const opened = open && open.kind !== 'new' ? accounts.data?.find(({ _id }) => _id === open.id) : undefined
  const connect = canEdit ? (
    <Button variant="primary" size="sm" onClick={() => setOpen({ kind: 'new' })}>
      <Plus aria-hidden /> Connect account
    </Button>
  ) : undefined

  return (
    <Page title={texts.title} count={accounts.data?.length} actions={connect}>
      {accounts.isPending ? (
        <Loading label="Loading SMS accounts">
          <SkeletonLines count={6} />
        </Loading>
      ) : null}
      {accounts.isError ? <Failure error={accounts.error} onRetry={() => void accounts.refetch()} /> : null}
      {accounts.data?.length === 0 ? (
        <Empty icon={MessageSquareText} title={canEdit ? texts.firstUse : 'No SMS account yet'} actions={connect}>
          {canEdit
            ? 'Bring the SMPP or HTTP details your operator gave you. It takes about five minutes.'
            : 'Ask your account manager.'}
        </Empty>
      ) : null}
      {accounts.data && accounts.data.length > 0 ? (
        <ul className="border-t border-border">
          {accounts.data.map((account: SmsAccount) => (
            <AccountRow
              key={account._id}
              account={account}
              canChange={mayCall('smsAccounts.activate')}
              isSwitching={activate.isPending && activate.variables.body.id === account._id}
              onSwitch={(isActive) => activate.mutate({ body: { id: account._id, isActive } })}
              onOpen={() => setOpen({ kind: 'peek', id: account._id })}
            />
          ))}
        </ul>
      ) : null}
      {open?.kind === 'peek' && opened ? (
        <AccountPeek
          account={opened}
          canEdit={canEdit}
          onEdit={() => setOpen({ kind: 'edit', id: opened._id })}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
      {open?.kind === 'new' || (open?.kind === 'edit' && opened) ? (
        <AccountSheet account={opened} onClose={() => setOpen(undefined)} />
      ) : null}
    </Page>
  )
}
