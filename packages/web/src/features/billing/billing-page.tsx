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
import { RequestsTab } from './requests-tab.tsx'
import { StatementTab } from './statement-tab.tsx'

const panels: Record<BillingTab, { label: string; Panel: () => React.ReactNode; forOrganization?: true }> = {
  overview: { label: 'Overview', Panel: BillingOverview },
  statement: { label: 'Statement', Panel: StatementTab },
  requests: { label: 'Requests', Panel: RequestsTab },
  invoices: { label: 'Invoices', Panel: InvoicesTab, forOrganization: true },
  details: { label: 'Billing details', Panel: DetailsTab, forOrganization: true },
}

/** Know the money: what is left, where it went, what was asked for, what was billed. */
export function BillingPage() {
  const [view, setView] = useView(billingView)
  const user = useUser()
  const isMember = user?.type === 'user' || user?.type === 'department_head'
  const shown = Object.entries(panels).filter(([, { forOrganization }]) => !(forOrganization && isMember))
  const { Panel } = panels[shown.some(([tab]) => tab === view.t) ? view.t : 'overview']

  return (
    <Page
      title="Subscription & Billing"
      actions={
        <Button variant="primary" size="sm" onClick={() => askForTopUp()}>
          <Wallet aria-hidden /> Request top-up
        </Button>
      }
    >
      <Tabs
        label="Billing"
        // The keys of the table are the tabs.
        items={shown.map(([value, { label }]) => ({ value: value as BillingTab, label }))}
        value={view.t}
        onValueChange={(t) => setView({ t, p: 1 })}
      >
        <Panel />
      </Tabs>
    </Page>
  )
}
