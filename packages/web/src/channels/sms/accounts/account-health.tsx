import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { formatCount, formatKnownShare } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Tracker } from '../../../ui/charts/tracker.tsx'
import { Region } from '../../../ui/region.tsx'
import { healthOfHours } from './account-hours.ts'

/** The last 24 hours of an SMS account, by hour of the account's time zone. */
export function AccountHealth({ account }: { account: SmsAccount }) {
  const health = useApi('smsAccounts.health', {}, { refetchInterval: 60_000 })
  return (
    <div className="min-h-11 w-84 max-xl:order-last max-xl:w-full max-xl:max-w-140">
      <Region read={health} label={`the last 24 hours of ${account.name}`} lines={2}>
        {(accounts) => {
          const own = accounts.find(({ _id }) => _id === account._id)
          if (!own) return null
          const { bars, accepted, delivered, failed, summary } = healthOfHours(own.hours)
          return (
            <>
              <Tracker bars={bars} summary={`${account.name}: ${summary}`} />
              <p className="mt-1 flex gap-3 text-caption whitespace-nowrap text-muted-foreground tabular-nums">
                {delivered === undefined ? (
                  'No traffic in 24 hours'
                ) : (
                  <>
                    <span className="flex-1">{formatCount(accepted)} accepted in 24 hours</span>
                    <span>{formatKnownShare(delivered)} delivered</span>
                    <span>{formatKnownShare(failed)} failed</span>
                  </>
                )}
              </p>
            </>
          )
        }}
      </Region>
    </div>
  )
}
