import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { call, mayCall, type CallError } from '../../../lib/call.ts'
import { refresh, useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Button } from '../../../ui/button.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AccountsTab } from './accounts-tab.tsx'
import { AnalyticsTab } from './analytics-tab.tsx'
import { ConnectSheet } from './connect-sheet.tsx'
import { FirstConnection } from './first-connection.tsx'
import { NumbersTab } from './numbers-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { texts } from './texts.ts'
import { whatsappView, type WhatsappTab } from './whatsapp-view.ts'

/** The organisation's WhatsApp accounts: connections, numbers, analytics and profiles. */
export function WhatsappPage() {
  const [view, setView] = useView(whatsappView)
  const [isConnecting, setConnecting] = useState(false)
  const connections = useConnections()
  if (!mayCall('wabas.list')) return <Denied />

  const all = connections.data
  const connected = () => setView({ tab: 'accounts' })
  return (
    <Page title={texts.title} actions={all?.length ? <Actions onConnect={() => setConnecting(true)} /> : undefined}>
      {connections.isPending ? (
        <Loading label="Loading WhatsApp accounts">
          <SkeletonLines count={6} />
        </Loading>
      ) : null}
      {connections.isError ? (
        <Failure
          error={connections.error}
          onRetry={() => void connections.refetch()}
          staleSince={all ? connections.dataUpdatedAt : undefined}
        />
      ) : null}
      {all?.length === 0 ? <FirstConnection onByHand={() => setConnecting(true)} onConnected={connected} /> : null}
      {all?.length ? (
        <Loaded at={connections.dataUpdatedAt} isStale={connections.isError}>
          <Connected connections={all} tab={view.tab} onTab={(tab) => setView({ tab })} />
        </Loaded>
      ) : null}
      {isConnecting ? <ConnectSheet onClose={() => setConnecting(false)} onConnected={connected} /> : null}
    </Page>
  )
}

/** While an account is being connected, its steps are refreshed automatically. */
function useConnections() {
  const [isWatching, setWatching] = useState(false)
  const connections = useApi('wabas.list', {}, { refetchInterval: isWatching ? 3000 : 30_000 })
  const isUnfinished = connections.data?.some(({ isReady }) => !isReady) ?? false
  if (isUnfinished !== isWatching) setWatching(isUnfinished)
  return connections
}

function Actions({ onConnect }: { onConnect: () => void }) {
  const queries = useQueryClient()
  const ask = useMutation<void, CallError>({
    async mutationFn() {
      const numbers = await call('wabas.phoneNumbers', { query: { mode: 'fresh' } })
      if (!mayCall('waTemplates.sync')) return
      // The test message is one of the account's templates, so they are loaded as well.
      const ids = new Set(numbers.map(({ waba_id }) => waba_id))
      await Promise.all([...ids].map((waba_id) => call('waTemplates.sync', { body: { waba_id } })))
    },
    onSettled: () => void refresh(queries, ['wabas.list', 'wabas.active', 'wabas.phoneNumbers', 'waTemplates.list']),
    onError: (error) => toast.error(error.message),
  })
  return (
    <>
      <Button variant="ghost" size="sm" loading={ask.isPending} onClick={() => ask.mutate()}>
        <RotateCw aria-hidden /> <span className="max-md:sr-only">Refresh from Meta</span>
      </Button>
      {mayCall('wabas.connect') ? (
        <Button size="sm" onClick={onConnect}>
          <Plus aria-hidden /> Connect another
        </Button>
      ) : null}
    </>
  )
}

type ConnectedProps = {
  connections: readonly WhatsappConnection[]
  tab: WhatsappTab
  onTab: (tab: WhatsappTab) => void
}

function Connected({ connections, tab, onTab }: ConnectedProps) {
  const numbers = connections.flatMap((connection) => connection.numbers)
  const unfinished = connections.filter(({ isReady }) => !isReady)
  const tabs = [
    { value: 'numbers', label: 'Numbers', count: numbers.length },
    { value: 'accounts', label: 'Accounts', count: connections.length },
    { value: 'analytics', label: 'Analytics' },
    ...(mayCall('wabas.profile') ? [{ value: 'profile', label: 'Business profile' } as const] : []),
  ] as const
  return (
    <Tabs label="WhatsApp" items={tabs} value={tab} onValueChange={onTab}>
      {unfinished.length > 0 && tab !== 'accounts' ? (
        <Notice
          tone="care"
          shape="bar"
          actions={
            <Button size="tool" onClick={() => onTab('accounts')}>
              Show its steps
            </Button>
          }
        >
          {unfinished.map(({ name }) => name).join(', ')} isn’t fully connected yet.
        </Notice>
      ) : null}
      {tab === 'numbers' ? <NumbersTab connections={connections} /> : null}
      {tab === 'accounts' ? <AccountsTab connections={connections} /> : null}
      {tab === 'analytics' ? <AnalyticsTab connections={connections} /> : null}
      {tab === 'profile' ? <ProfileTab numbers={numbers} /> : null}
    </Tabs>
  )
}
