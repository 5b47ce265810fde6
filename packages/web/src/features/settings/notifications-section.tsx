import type { Profile } from '@carillon/contract/accounts'
import { Switch } from '../../ui/switch.tsx'
import { usePrefer } from './preferences-section.tsx'
import { SettingRow } from './setting-row.tsx'

/** Notifications that are also mailed; the bell shows all. */
export function NotificationsSection({ profile: { preferences, email } }: { profile: Profile }) {
  const prefer = usePrefer(preferences)
  return (
    <div className="flex flex-col">
      <p className="pb-3 text-muted-foreground">
        Every notification appears under the bell. These are also emailed to {email}.
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
