import type { ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useView } from '../../../lib/use-view.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { figureLinkClass } from '../../../ui/link-class.ts'
import { reportsView } from '../numbers/reports-view.ts'
import type { ShownRecipients } from './shown-recipients.ts'

/** Where the list of recipients begins. */
export const recipientsId = 'recipients'

type RecipientsLinkProps = {
  campaignId: string
  shown: ShownRecipients
  count: number
  /** Describes the recipients, where the text is only a number. */
  label: string
  children: ReactNode
}

/** A number of the report that lists its recipients; plain text if there are none, or the list is not allowed. */
export function RecipientsLink({ campaignId, shown, count, label, children }: RecipientsLinkProps) {
  const [, setView] = useView(reportsView)
  if (count === 0 || !mayCall('campaigns.responses')) return <>{children}</>
  const state = { campaignId, ...stateOf(shown) }
  return (
    <AreaLink
      to="campaigns/individual-reports"
      search={writeView(reportsView, state)}
      aria-label={label}
      className={figureLinkClass}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        setView(state)
        showRecipients()
      }}
    >
      {children}
    </AreaLink>
  )
}

const nothingShown = { leg: -1, result: undefined, both: false, clicked: false }

function stateOf(shown: ShownRecipients) {
  if ('both' in shown) return { ...nothingShown, both: true }
  if ('clicked' in shown) return { ...nothingShown, leg: shown.leg ?? -1, clicked: true }
  return { ...nothingShown, leg: shown.leg ?? -1, result: shown.result }
}

function showRecipients() {
  const heading = document.getElementById(recipientsId)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

/** The recipients that the URL lists. */
export function useShownRecipients(): [ShownRecipients | undefined, () => void] {
  const [{ leg, result, both, clicked }, setView] = useView(reportsView)
  const clear = () => setView(nothingShown)
  if (both) return [{ both: true }, clear]
  const ofLeg = leg < 0 ? {} : { leg }
  if (clicked) return [{ ...ofLeg, clicked: true }, clear]
  return [result ? { ...ofLeg, result } : undefined, clear]
}
