import clsx from 'clsx'
import { Check } from 'lucide-react'
import { mayCall } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** What is left to do before the first campaign; gone once one was sent. */
export function FirstSteps() {
  const maySend = useIncluded('campaign') === true
  const mayWrite = useIncluded('template') === true
  const mayStart = maySend && mayWrite && mayCall('smsCampaigns.start')
  const accounts = useApi('smsAccounts.list', {}, { enabled: mayStart })
  const templates = useApi('smsTemplates.list', { query: {} }, { enabled: mayStart })
  const campaigns = useApi('smsCampaigns.list', { query: { limit: 1 } }, { enabled: mayStart })
  if (!mayStart || !accounts.data || !templates.data || !campaigns.data || campaigns.data.totalCampaigns > 0)
    return null

  const steps = [
    { title: 'Activate an SMS account', to: 'channels/sms', done: accounts.data.some(({ isActive }) => isActive) },
    { title: 'Bring a template', to: 'manage-templates/create-sms', done: templates.data.templates.length > 0 },
    { title: 'Send your first campaign', to: 'campaigns/sms-campaign-creation', done: false },
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
