import type { TemplateEvent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { formatDateTime } from '../../../lib/format.ts'

/** History of a template, latest first. */
export function WhatsappTimeline({ events }: { events: readonly TemplateEvent[] }) {
  if (events.length === 0) return null
  const sorted = [...events].sort((a, b) => b.at.localeCompare(a.at))
  return (
    <section aria-label="History">
      <h3 className="mb-2 font-medium">History</h3>
      <ol className="border-l border-border pl-4">
        {sorted.map(({ at, detail }, index) => (
          <li key={index} className="relative pb-3 last:pb-0">
            <span
              aria-hidden
              className="absolute top-1.5 -left-[20.5px] size-2 rounded-full border-2 border-card bg-brand ring-1 ring-brand"
            />
            <p>{detail}</p>
            <time dateTime={at} className="text-caption text-muted-foreground">
              {formatDateTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}
