import { formatCount, formatMoney } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useMessagePrice } from './message-price.ts'

/** The low balance, and how many messages it pays for. */
export function LowBalance({ balance, onDismiss }: { balance: number; onDismiss: () => void }) {
  // Admins issue balance, so there is no account to request it from.
  const isAdmin = useUser()?.type === 'admin'
  const price = useMessagePrice()
  return (
    <Notice
      shape="bar"
      tone="care"
      actions={
        <>
          {isAdmin ? null : (
            <Button variant="ghost" size="tool" onClick={() => askForTopUp()}>
              Request top-up
            </Button>
          )}
          <Button variant="ghost" size="tool" onClick={onDismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      Balance is {formatMoney(balance)}.{price ? worthOf(balance, price) : ''}
    </Notice>
  )
}

function worthOf(balance: number, { price, message, messages }: NonNullable<ReturnType<typeof useMessagePrice>>) {
  const count = Math.floor(balance / price)
  return count > 0
    ? ` About ${formatCount(count)} ${messages} at your current rate.`
    : ` It does not cover one ${message}.`
}
