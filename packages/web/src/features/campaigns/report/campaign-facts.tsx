import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { ReactNode } from 'react'
import { formatCount, formatMoney } from '../../../lib/format.ts'
import { Copyable } from '../../../ui/copyable.tsx'

export type Fact = { label: string; value: ReactNode }

/** Properties of a campaign, one per line. */
export function CampaignFacts({ campaign, reserved }: { campaign: CampaignDetail; reserved: number }) {
  return <FactList facts={factsOf(campaign, reserved)} />
}

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 border-t border-line pt-4 text-dense">
      {facts.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-muted-foreground">{label}</dt>
          <dd className="min-w-0 truncate text-right tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf(campaign: CampaignDetail, reserved: number): Fact[] {
  const { templateName, header, accountName, fileName, stats, _id } = campaign
  const facts: (Fact | false)[] = [
    { label: 'Template', value: templateName || 'None yet' },
    (header || accountName) !== '' && { label: 'Sender', value: header || accountName },
    fileName !== '' && { label: 'Audience', value: fileName },
    stats.skipped > 0 && { label: 'Skipped', value: formatCount(stats.skipped) },
    reserved > 0 && { label: 'Reserved', value: formatMoney(reserved) },
    { label: 'Campaign id', value: <Copyable text={_id} /> },
  ]
  return facts.filter((fact) => fact !== false)
}
