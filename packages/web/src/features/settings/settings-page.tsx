import type { Profile } from '@carillon/contract/accounts'
import type { ReactNode } from 'react'
import { useUser } from '../../lib/session.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Page } from '../../ui/page.tsx'
import { Region } from '../../ui/region.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AuditSection } from './audit-section.tsx'
import { BrandSection } from './brand-section.tsx'
import { InvoicesSection } from './invoices-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { LinksSection } from './links-section.tsx'
import { MailSection } from './mail-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { OptOutsSection } from './opt-outs-section.tsx'
import { PreferencesSection } from './preferences-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { RatesSection } from './rates-section.tsx'
import { RegistrationSection } from './registration-section.tsx'
import { SecuritySection } from './security-section.tsx'
import { SendingSection } from './sending-section.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { noFilter, settingsView, tabLabels, tabsOf, type SettingsTab } from './settings-view.ts'

type Section = (props: { profile: Profile }) => ReactNode

/** The content of each tab. */
const sections: Partial<Record<SettingsTab, Section>> = {
  profile: ProfileSection,
  preferences: PreferencesSection,
  notifications: NotificationsSection,
  security: SecuritySection,
  limits: LimitsSection,
  brand: BrandSection,
  registration: RegistrationSection,
  rates: RatesSection,
  invoices: InvoicesSection,
  channels: ChannelsSection,
  sending: SendingSection,
  audit: AuditSection,
  optOuts: OptOutsSection,
  mail: MailSection,
  links: LinksSection,
}

/** Personal settings and, for admins and resellers, those of their customers. */
export function SettingsPage() {
  const user = useUser()
  const [view, setView] = useView(settingsView)
  const profile = useApi('profile.details', {})
  if (!user) return null

  const tabs = tabsOf(user.type).filter((tab) => sections[tab])
  const tab = tabs.includes(view.tab) ? view.tab : 'profile'
  const Section = sections[tab]
  const isAbove = user.type === 'admin' || user.type === 'reseller'
  return (
    <Page title={isAbove ? 'Settings' : 'System Settings'}>
      <Tabs
        label="Settings"
        items={tabs.map((value) => ({ value, label: tabLabels[value] }))}
        value={tab}
        onValueChange={(value) => setView({ tab: value, ...noFilter })}
      >
        {tab === 'optOuts' ? (
          <OptOutsSection />
        ) : (
          <div className="w-full max-w-160 py-5 screen-x">
            <Region read={profile} label="the settings" lines={6}>
              {(data) => (Section ? <Section key={data._id} profile={data} /> : null)}
            </Region>
          </div>
        )}
      </Tabs>
    </Page>
  )
}
