import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { PanelRight, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { countOf, formatCount } from '../../../lib/format.ts'
import { senderOff } from '../../../lib/campaign-effects.ts'
import { useSwitchOff } from '../../../lib/use-switch-off.ts'
import { Button } from '../../../ui/button.tsx'
import { SwitchOffDialog } from '../../../ui/campaigns-affected.tsx'
import { RowMenu } from '../../../ui/data-screen/row-menu.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { AccountHealth } from './account-health.tsx'
import { laneLabelOf } from './lane-labels.ts'

type AccountRowProps = {
  account: SmsAccount
  canChange: boolean
  isSwitching: boolean
  onSwitch: (isActive: boolean) => void
  onOpen: () => void
  /** Absent if the user may not delete it. */
  onDelete?: (() => void) | undefined
}

/** An account in the list: properties, connection status and on/off switch. */
export function AccountRow({ account, canChange, isSwitching, onSwitch, onOpen, onDelete }: AccountRowProps) {
  const { state } = account
  const [isAsking, setAsking] = useState(false)
  const words = laneLabelOf(state)
  const guard = useSwitchOff()
  const off = () => (state.queued > 0 ? setAsking(true) : onSwitch(false))
  const change = (isActive: boolean) =>
    isActive ? onSwitch(true) : guard.switchOff({ need: 'sender', ids: account._id }, off)
  return (
    <li className="screen-x flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3 hover:bg-accent/50">
      <div className="min-w-48 flex-1">
        <h2 className="font-medium">{account.name}</h2>
        <p className="text-caption text-muted-foreground">
          {account.providerLabel} · <span className="font-mono">{account.headers.join(', ')}</span> ·{' '}
          {formatCount(account.ratePerSecond)} parts/s
        </p>
      </div>
      <div className="flex min-w-40 flex-1 items-center gap-2 text-dense text-muted-foreground max-md:basis-full">
        <Pill tone={words.tone}>{words.label}</Pill>
        <span className="min-w-0 truncate">{summary(account)}</span>
      </div>
      <AccountHealth account={account} />
      <label className="flex items-center gap-2 text-dense max-md:mr-auto">
        <Switch
          label={`${account.name} is active`}
          checked={account.isActive}
          disabled={!canChange || isSwitching || guard.isChecking}
          onCheckedChange={change}
        />
        {account.isActive ? 'Active' : 'Off'}
      </label>
      <Button size="sm" onClick={onOpen} aria-label={`Open ${account.name}`}>
        Open
      </Button>
      {onDelete ? (
        <RowMenu
          name={account.name}
          items={[
            { label: 'Open', icon: PanelRight, onSelect: onOpen },
            { label: 'Delete…', icon: Trash2, destructive: true, onSelect: onDelete },
          ]}
        />
      ) : null}
      <SwitchOffDialog
        guard={{ ...guard, asked: guard.asked && { ...guard.asked, proceed: () => onSwitch(false) } }}
        title={`Switch off ${account.name}?`}
        action="Switch off account"
        effects={senderOff}
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Switch off ${account.name}?`}
        description={`${countOf(state.queued, 'message is', 'messages are')} queued until it is switched on again or the campaign ends.`}
        action="Switch off account"
        onConfirm={() => {
          setAsking(false)
          onSwitch(false)
        }}
      />
    </li>
  )
}

function summary({ state }: SmsAccount): string {
  if (state.status === 'off') return ''
  if (state.status !== 'connected' && state.lastError) return state.lastError.message
  return state.queued > 0 ? `${formatCount(state.sentPerSecond)}/s, ${formatCount(state.queued)} waiting` : 'Idle'
}
