import { lowBalanceRupees } from '@carillon/contract/constants'
import { useEffect, useSyncExternalStore } from 'react'
import { useConnected } from '../../lib/connection.ts'
import { formatDateTime, formatTime, isToday, roleNames } from '../../lib/format.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { useSession, useUser, type Impersonation } from '../../lib/session.ts'
import { useShownSince } from '../../lib/shown-since.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { texts } from '../texts.ts'
import { useBalance, useProfile } from './use-account.ts'
import { SendingPaused } from './sending-paused.tsx'
import { useExitAccount } from './use-exit-account.ts'

const LowBalance = lazyPart(
  () => import('./low-balance.tsx').then((code) => code.LowBalance),
  <div className="min-h-10 shrink-0 border-b" />,
)

const dismissedKey = 'carillon.low-balance-dismissed'
const lastLowKey = 'carillon.low-balance'

/** Below the header: at most one notice about the account, and the low balance, which is always shown. */
export function NoticeBar() {
  const [dismissed, dismiss] = useDismissedLowBalance()
  const balance = useLowBalance()
  return (
    <>
      <Hindrance />
      {balance !== undefined && !dismissed ? <LowBalance balance={balance} onDismiss={dismiss} /> : null}
    </>
  )
}

/** Offline, impersonation, suspension, pause after a restore, in this order. */
function Hindrance() {
  const isConnected = useConnected()
  const { impersonation } = useSession()
  const user = useUser()
  const profile = useProfile()

  if (!isConnected) return <Offline />
  if (impersonation) return <ImpersonationNotice impersonation={impersonation} name={profile.data?.name} />
  if (profile.data?.status === 'suspended') {
    return (
      <Notice shape="bar" tone="bad">
        This account is suspended: nothing is sent. Contact your account manager.
      </Notice>
    )
  }
  return user?.type === 'admin' ? <SendingPaused /> : null
}

/** Offline notice with the age of the data on screen. Disappears once the server responds. */
function Offline() {
  const since = useShownSince()
  return (
    <Notice shape="bar" tone="offline">
      Offline.{' '}
      {since === undefined
        ? ''
        : `Showing what was loaded at ${isToday(since) ? formatTime(since) : formatDateTime(since)}. `}
      Changes cannot be saved until you are back online.
    </Notice>
  )
}

type ImpersonationProps = { impersonation: Impersonation; name: string | undefined }

function ImpersonationNotice({ impersonation: { impersonatedUser, impersonatedBy }, name }: ImpersonationProps) {
  const exitAccount = useExitAccount()
  return (
    <Notice
      shape="bar"
      tone="care"
      actions={
        <Button variant="ghost" size="tool" onClick={() => void exitAccount()}>
          {texts.exitAccount}
        </Button>
      }
    >
      Viewing as <b className="font-semibold">{name ?? impersonatedUser.username}</b> (
      {roleNames[impersonatedUser.type]}) · started by {impersonatedBy}
    </Notice>
  )
}

/** The balance if it is low. The last one is shown while it loads, so that the notice does not move the screen later. */
function useLowBalance(): number | undefined {
  const username = useUser()?.username
  const { balance, isPending } = useBalance()
  const isLow = balance !== undefined && balance < lowBalanceRupees
  useEffect(() => {
    if (balance === undefined) return
    if (isLow) localStorage.setItem(lastLowKey, `${balance} ${username}`)
    else localStorage.removeItem(lastLowKey)
  }, [username, balance, isLow])
  if (!isPending) return isLow ? balance : undefined
  const [last, ...owner] = localStorage.getItem(lastLowKey)?.split(' ') ?? []
  return owner.join(' ') === username ? Number(last) : undefined
}

/** Dismissed until the balance has been sufficient again. */
function useDismissedLowBalance(): [boolean, () => void] {
  const { balance } = useBalance()
  const dismissed = useSyncExternalStore(listen, isDismissed)
  const isEnough = balance !== undefined && balance >= lowBalanceRupees
  useEffect(() => {
    if (isEnough) remember(false)
  }, [isEnough])
  return [dismissed, () => remember(true)]
}

const listeners = new Set<() => void>()

function remember(dismissed: boolean) {
  if (dismissed === isDismissed()) return
  if (dismissed) localStorage.setItem(dismissedKey, '1')
  else localStorage.removeItem(dismissedKey)
  for (const listener of listeners) listener()
}

function isDismissed(): boolean {
  return localStorage.getItem(dismissedKey) !== null
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
