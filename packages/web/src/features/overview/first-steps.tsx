import clsx from 'clsx'
import { Check } from 'lucide-react'
import { mayCall } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { wizardOf } from './campaign-places.ts'

/** What is left to do before the first campaign; gone once anything was sent. Either channel will do. */
export function FirstSteps() {
  const maySend = useIncluded('campaign') === true
  const mayWrite = useIncluded('template') === true
  const found = useFound(maySend && mayWrite && mayCall('smsCampaigns.start'))
  if (!found || found.sent > 0) return null

  const steps = [
    { title: 'Connect a channel', to: 'channels', done: found.sms || found.whatsapp },
    { title: 'Bring a template', to: 'manage-templates', done: found.templates > 0 },
    { title: 'Send your first campaign', to: wizardOf(found.sms ? 'sms' : 'whatsapp'), done: false },
  ]
  const next = steps.find(({ done }) => !done)
  return (
    <Card title="Set up" caption={`${steps.filter(({ done }) => done).length} of ${steps.length}`}>
      <ol className="flex flex-wrap items-center gap-x-8 gap-y-3 px-4 pb-4">
        {steps.map(({ title, done }, index) => (
          <li key={title} className={clsx('flex items-center gap-2', done && 'text-muted-foreground')}>
            <span
              className={clsx(
                'grid size-5.5 place-items-center rounded-full text-caption',
                done ? 'bg-brand-muted text-brand-text' : 'border border-input',
              )}
            >
              {done ? <Check aria-label="done" className="size-3 stroke-[2.5]!" /> : index + 1}
            </span>
            {title}
          </li>
        ))}
        {next ? (
          <li className="ml-auto">
            <Button size="sm" asChild>
              <AreaLink to={next.to}>Continue</AreaLink>
            </Button>
          </li>
        ) : null}
      </ol>
    </Card>
  )
}

/** What there is of each step; undefined until all of it is known, and where there is a campaign. */
function useFound(enabled: boolean) {
  const accounts = useApi('smsAccounts.list', {}, { enabled })
  const connections = useApi('wabas.list', {}, { enabled })
  const sms = useApi('smsTemplates.list', { query: { limit: 1 } }, { enabled })
  const whatsapp = useApi('waTemplates.list', { query: { limit: 1 } }, { enabled })
  const campaigns = useApi('campaigns.list', { query: { limit: 1 } }, { enabled })
  const isNew = campaigns.data?.totalCampaigns === 0
  const lately = useApi('dashboard.statusCounts', { query: { days: 90 } }, { enabled: enabled && isNew })
  if (!isNew || !accounts.data || !connections.data || !sms.data || !whatsapp.data || !lately.data) return undefined
  return {
    sms: accounts.data.some(({ isActive }) => isActive),
    whatsapp: connections.data.some(({ numbers }) => numbers.some(({ isActive }) => isActive)),
    templates: sms.data.total + whatsapp.data.total,
    sent: lately.data.total.submitted,
  }
}
