import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { useCaseLabels } from './bot-form.tsx'
import { Part } from './part.tsx'

/** The documents of a bot, which a reviewer reads. */
export function BotDocuments({ bot: { details, useCase } }: { bot: RcsBot }) {
  const { brandName, privacyUrl, termsUrl, entityId, review } = details
  const contact = review && [review.contactName, review.contactTitle, review.contactEmail].filter(Boolean).join(', ')
  const facts = [
    ['Brand', brandName],
    ['Use case', useCaseLabels[useCase]],
    ['Privacy policy', privacyUrl],
    ['Terms of service', termsUrl],
    ['Principal entity id', entityId],
    ['Contact', contact],
    ['Consent', review?.optIn],
    ['Sends', review?.trigger],
    ['People can', review?.interactions],
    ['Opt-out', review?.optOut],
  ].flatMap(([label, value]) => (label && value ? [{ label, value }] : []))
  return (
    <Part title="Details">
      <dl className="w-full divide-y divide-line border-y border-border">
        {facts.map(({ label, value }) => (
          <div key={label} className="flex gap-x-4 py-2 max-md:flex-col">
            <dt className="w-36 shrink-0 text-muted-foreground">{label}</dt>
            <dd className="min-w-0 flex-1 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}
