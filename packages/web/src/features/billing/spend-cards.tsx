import { ChevronRight } from 'lucide-react'
import { formatCount, formatDate, formatMoney, formatShare, formatUnitPrice } from '../../lib/format.ts'
import { listView } from '../../lib/list-view.ts'
import { writeView } from '../../lib/url-state.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { Region } from '../../ui/region.tsx'
import type { OverviewRead } from './reads.ts'

export function SpendByChannel({ overview }: { overview: OverviewRead }) {
  return (
    <Card title="Spend by channel" caption="30 days">
      <Region read={overview} label="the spend by channel" lines={2}>
        {({ byChannel }) =>
          byChannel.length === 0 ? (
            <p className="px-4 pb-4 text-muted-foreground">Nothing spent yet.</p>
          ) : (
            <ul className="px-4 pb-4">
              {byChannel.map((entry) => (
                <li key={entry.channel} className="flex min-h-9 items-center gap-3 border-t border-line first:border-0">
                  <ChannelMark channel={entry.channel} />
                  <span className="ml-auto text-dense text-muted-foreground">
                    {formatShare(entry.spent, sumOf(byChannel))}
                  </span>
                  <b className="w-28 text-right font-medium tabular-nums">{formatMoney(entry.spent)}</b>
                </li>
              ))}
            </ul>
          )
        }
      </Region>
    </Card>
  )
}

function sumOf(entries: readonly { spent: number }[]): number {
  return entries.reduce((sum, { spent }) => sum + spent, 0)
}

const head =
  'h-9 px-3 text-left text-caption font-medium text-muted-foreground border-b border-border first:pl-4 last:pr-4'
const cell = 'h-11 px-3 border-b border-line first:pl-4 last:pr-4 in-[tr:last-child]:border-0'

/** The ten most expensive campaigns of thirty days. */
export function TopCampaigns({ overview }: { overview: OverviewRead }) {
  return (
    <Card
      title="Top campaigns by cost"
      caption="The most expensive campaigns of the last 30 days"
      actions={
        <Button variant="ghost" size="sm" asChild>
          <AreaLink to="campaigns">
            All campaigns <ChevronRight aria-hidden />
          </AreaLink>
        </Button>
      }
    >
      <Region read={overview} label="the campaigns" lines={5}>
        {({ topCampaigns }) =>
          topCampaigns.length === 0 ? (
            <p className="px-4 pb-4 text-muted-foreground">Campaigns appear here once they have been charged.</p>
          ) : (
            <div className="relative overflow-x-auto">
              <table className="w-full whitespace-nowrap tabular-nums">
                <thead>
                  <tr>
                    <th className={head}>Campaign</th>
                    <th className={head}>Channel</th>
                    <th className={`${head} text-right`}>Units</th>
                    <th className={`${head} text-right`}>Unit price</th>
                    <th className={`${head} text-right`}>Amount</th>
                    <th className={`${head} text-right`}>Date</th>
                  </tr>
                </thead>
                <tbody>
                  {topCampaigns.map(({ campaignId, campaignName, channel, units, price, spent, at }) => (
                    <tr key={campaignId} className="hover:bg-accent">
                      <th scope="row" className={`${cell} max-w-60 truncate text-left font-medium`}>
                        <AreaLink
                          to="campaigns"
                          search={writeView(listView, { openId: campaignId })}
                          className="hover:underline"
                        >
                          {campaignName}
                        </AreaLink>
                      </th>
                      <td className={cell}>
                        <ChannelMark channel={channel} />
                      </td>
                      <td className={`${cell} text-right`}>{formatCount(units)}</td>
                      <td className={`${cell} text-right text-muted-foreground`}>
                        {price === undefined ? 'Several prices' : formatUnitPrice(price)}
                      </td>
                      <td className={`${cell} text-right font-medium`}>{formatMoney(spent)}</td>
                      <td className={`${cell} text-right text-muted-foreground`}>{formatDate(at)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Region>
    </Card>
  )
}
