import type { Profile } from '@carillon/contract/accounts'
import { Switch } from '../../ui/switch.tsx'
import { usePrefer } from './preferences-section.tsx'
import { SettingRow } from './setting-row.tsx'

/** What is told by mail as well; the bell tells everything. */
export function NotificationsSection({ profile: { preferences, email } }: { profile: Profile }) {
  const prefer = usePrefer(preferences)
  return (
    <div className="flex flex-col">
      <p className="pb-3 text-muted-foreground">
        The bell tells everything that concerns you. These are also mailed to {email}.
      </p>
      <SettingRow title="Campaigns" detail="Completed, paused by the product, failed">
        <Switch
          label="Mail about campaigns"
          checked={preferences.mailCampaigns}
          onCheckedChange={(mailCampaigns) => prefer({ mailCampaigns })}
        />
      </SettingRow>
      <SettingRow title="Balance" detail="Requests, answers to them, and a balance that runs low">
        <Switch
          label="Mail about the balance"
          checked={preferences.mailBalance}
          onCheckedChange={(mailBalance) => prefer({ mailBalance })}
        />
      </SettingRow>
      <SettingRow title="Support" detail="Answers to your requests, and requests that wait for you">
        <Switch
          label="Mail about support"
          checked={preferences.mailSupport}
          onCheckedChange={(mailSupport) => prefer({ mailSupport })}
        />
      </SettingRow>
    </div>
  )
}
