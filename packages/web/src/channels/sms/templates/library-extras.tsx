import { ClipboardPaste } from 'lucide-react'
import { useApi } from '../../../lib/use-api.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { TemplateCards } from '../../parts/templates/template-grid.tsx'
import { GridCard } from './grid-card.tsx'
import { useSmsTemplateMenu } from './use-menu.tsx'
import { usePasteApproval } from './use-paste-approval.ts'

/** Explains that the text of an approval can be pasted, and accepts it. */
export function ImportCard() {
  usePasteApproval()
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-dashed border-edge p-4">
      <ClipboardPaste aria-hidden className="size-5 text-muted-foreground" />
      <b>Paste an approval</b>
      <p className="text-dense text-muted-foreground">
        Copy the text of a DLT approval and paste it anywhere on this page: it becomes a filled-in form.
      </p>
    </div>
  )
}

/** The most recently changed templates. */
export function LatestTemplates() {
  const latest = useApi('smsTemplates.list', { query: { limit: 8 } })
  const { menu, dialog } = useSmsTemplateMenu()
  if (!latest.data || latest.data.templates.length === 0) return null
  return (
    <section aria-labelledby="latest-title">
      <h2 id="latest-title" className="mb-3 text-section font-semibold screen-x">
        Recently changed
      </h2>
      <Loaded at={latest.dataUpdatedAt} isStale={latest.isError}>
        <TemplateCards>
          {latest.data.templates.map((template) => (
            <GridCard key={template._id} template={template} menu={menu(template)} />
          ))}
        </TemplateCards>
      </Loaded>
      {dialog}
    </section>
  )
}
