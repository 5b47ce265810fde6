import type { Role } from '@carillon/contract/roles'
import { Wallet } from 'lucide-react'
import { useUser } from '../../lib/session.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { BillingOverview } from './billing-overview.tsx'
import { billingView, type BillingTab } from './billing-view.ts'
import { DetailsTab } from './details-tab.tsx'
import { InvoicesTab } from './invoices-tab.tsx'
import { MarginTab } from './margin-tab.tsx'
import { RequestsTab } from './requests-tab.tsx'
import { StatementTab } from './statement-tab.tsx'

type BillingPanel = {
  label: string
  Panel: () => React.ReactNode
  /** Roles that see it; all if absent. */
  roles?: readonly Role[]
}

const organizations: readonly Role[] = ['manager', 'reseller']

const panels: Record<BillingTab, BillingPanel> = {
  overview: { label: 'Overview', Panel: BillingOverview },
  statement: { label: 'Statement', Panel: StatementTab },
  margin: { label: 'Margin', Panel: MarginTab, roles: ['reseller'] },
  requests: { label: 'Requests', Panel: RequestsTab },
  invoices: { label: 'Invoices', Panel: InvoicesTab, roles: organizations },
  details: { label: 'Billing details', Panel: DetailsTab, roles: organizations },
}

/** Billing: balance, statement, requests and invoices. */
export function BillingPage() {
  const [view, setView] = useView(billingView)
  const user = useUser()
  const shown = Object.entries(panels).filter(([, { roles }]) => !roles || (user && roles.includes(user.type)))
  const { Panel } = panels[shown.some(([tab]) => tab === view.tab) ? view.tab : 'overview']

  return (
    <Page
      title={user?.type === 'reseller' ? 'Billing' : 'Subscription & Billing'}
      actions={
        <Button variant="primary" size="sm" onClick={() => askForTopUp()}>
          <Wallet aria-hidden /> Request top-up
        </Button>
      }
    >
      <Tabs
        label="Billing"
        // The tabs are the keys of the table.
        items={shown.map(([value, { label }]) => ({ value: value as BillingTab, label }))}
        value={view.tab}
        onValueChange={(tab) => setView({ tab, page: 1 })}
      >
        <Panel />
      </Tabs>
    </Page>
  )
}
