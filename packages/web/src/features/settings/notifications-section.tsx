import type { Profile } from '@carillon/contract/accounts'
import clsx from 'clsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Switch } from '../../ui/switch.tsx'
import { usePrefer } from './preferences-section.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'

const chatChoices = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Mine' },
  { value: 'none', label: 'None' },
] as const

/** Which incoming messages notify, and which notifications are also mailed. */
export function NotificationsSection({ profile: { preferences, email, type } }: { profile: Profile }) {
  const prefer = usePrefer(preferences)
  const hasConversations = type !== 'admin' && type !== 'reseller'
  return (
    <div className="flex flex-col">
      {hasConversations ? (
        <SettingRow title="Incoming messages" detail="Mine: of conversations assigned to you, and mentions">
          <Segmented
            label="Incoming messages"
            value={preferences.chatNotifications}
            options={chatChoices}
            onValueChange={(chatNotifications) => prefer({ chatNotifications })}
          />
        </SettingRow>
      ) : null}
      <p className={clsx('pb-3 text-muted-foreground', hasConversations && 'pt-5')}>
        Notifications appear under the bell. These are also emailed to {email}.
      </p>
      <SettingRow title="Campaigns" detail="Completed, paused by the product, failed">
        <Switch
          label="Mail about campaigns"
          checked={preferences.mailCampaigns}
          onCheckedChange={(mailCampaigns) => prefer({ mailCampaigns })}
        />
      </SettingRow>
      <SettingRow title="Balance" detail="Top-up requests, replies to them and low balance">
        <Switch
          label="Mail about the balance"
          checked={preferences.mailBalance}
          onCheckedChange={(mailBalance) => prefer({ mailBalance })}
        />
      </SettingRow>
      <SettingRow title="Support" detail="Replies to your requests, and requests waiting for you">
        <Switch
          label="Mail about support"
          checked={preferences.mailSupport}
          onCheckedChange={(mailSupport) => prefer({ mailSupport })}
        />
      </SettingRow>
    </div>
  )
}
