import { ChevronDown, ChevronRight, ClipboardPaste, MessageCircle, MessageSquareText, Plus } from 'lucide-react'
import { mayCall } from '../../lib/call.ts'
import { formatCount } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { AreaLink, useGo } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { TemplateCards } from './template-grid.tsx'
import { usePasteApproval } from '../../channels/sms/templates/use-paste-approval.ts'
import { useTemplateMenu } from '../../channels/sms/templates/use-template-menu.tsx'

const smsBuilder = 'manage-templates/create-sms'
const whatsappBuilder = 'manage-templates/whatsapp/whatsapp-template-creation'

/** The front door of the library: what there is by channel, and what asks for attention. */
export function TemplatesPage() {
  const all = useApi('smsTemplates.list', { query: { limit: 8 } })
  const { menu, dialog } = useTemplateMenu()
  const rejected = useApi('smsTemplates.list', { query: { limit: 5, status: 'rejected' } })
  usePasteApproval()
  if (!mayCall('smsTemplates.list')) return <Denied />

  return (
    <Page title="Templates" actions={<NewTemplate />}>
      {dialog}
      {all.isError ? (
        <Failure error={all.error} onRetry={() => void all.refetch()} staleSince={all.dataUpdatedAt} />
      ) : null}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(280px,1fr))] gap-4 pb-6 screen-x">
        <LibraryCard channel="sms" total={all.data?.total}>
          {smsLabel(all)}
        </LibraryCard>
        {mayCall('waTemplates.list') ? <WhatsappCard /> : null}
        <div className="flex flex-col gap-2 rounded-lg border border-dashed border-edge p-4">
          <ClipboardPaste aria-hidden className="size-5 text-muted-foreground" />
          <b>Paste an approval</b>
          <p className="text-dense text-muted-foreground">
            Copy the text of a DLT approval and paste it anywhere on this page: it becomes a filled-in form.
          </p>
        </div>
      </div>
      {rejected.data && rejected.data.templates.length > 0 ? (
        <section className="pb-8 screen-x" aria-labelledby="attention-title">
          <h2 id="attention-title" className="mb-2 text-section font-semibold">
            Needs attention
          </h2>
          <ul className="border-y border-border">
            {rejected.data.templates.map(({ _id, name }) => (
              <li key={_id} className="flex min-h-10 items-center gap-3 border-b border-line last:border-0">
                <span className="min-w-0 flex-1 truncate">
                  <b>{name}</b> <span className="text-muted-foreground">was rejected</span>
                </span>
                <Button asChild size="tool">
                  <AreaLink to="manage-templates/create-sms" search={{ c: _id }}>
                    Fix
                  </AreaLink>
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {all.data && all.data.templates.length > 0 ? (
        <section aria-labelledby="latest-title">
          <h2 id="latest-title" className="mb-3 text-section font-semibold screen-x">
            Changed last
          </h2>
          <Loaded at={all.dataUpdatedAt} isStale={all.isError}>
            <TemplateCards templates={all.data.templates} menu={menu} />
          </Loaded>
        </section>
      ) : null}
    </Page>
  )
}

/** By channel, where there is more than one to choose from. */
function NewTemplate() {
  const go = useGo()
  if (!mayCall('waTemplates.create')) {
    return (
      <Button asChild variant="primary" size="sm">
        <AreaLink to={smsBuilder}>
          <Plus aria-hidden /> New SMS template
        </AreaLink>
      </Button>
    )
  }
  return (
    <Menu
      label="New template"
      trigger={
        <Button variant="primary" size="sm">
          <Plus aria-hidden /> New template <ChevronDown aria-hidden />
        </Button>
      }
      items={[
        { label: 'SMS template', icon: MessageSquareText, onSelect: () => go(smsBuilder) },
        { label: 'WhatsApp template', icon: MessageCircle, onSelect: () => go(whatsappBuilder) },
      ]}
    />
  )
}

function smsLabel({ data, isError }: { data: { total: number } | undefined; isError: boolean }): string {
  if (!data) return isError ? 'not known now' : 'Counting'
  if (data.total === 0) return 'None yet: add your DLT templates'
  return `${data.total === 1 ? 'template' : 'templates'} with the exact text and its cost`
}

function WhatsappCard() {
  const all = useApi('waTemplates.list', { query: { limit: 1 } })
  const refused = useApi('waTemplates.list', { query: { limit: 1, status: 'REJECTED' } })
  const rejected = refused.data?.total ?? 0
  return (
    <LibraryCard channel="whatsapp" total={all.data?.total}>
      {rejected > 0 ? `${formatCount(rejected)} rejected: open to see why` : 'checked before Meta’s review'}
    </LibraryCard>
  )
}

type LibraryCardProps = { channel: 'sms' | 'whatsapp'; total: number | undefined; children: string }

/** The way into the templates of a channel, with how many there are. */
function LibraryCard({ channel, total, children }: LibraryCardProps) {
  return (
    <AreaLink
      to={`manage-templates/${channel}`}
      className="group flex flex-col gap-3 rounded-lg border border-border bg-card p-4 shadow-1 hover:border-edge"
    >
      <span className="flex items-center justify-between">
        <ChannelMark channel={channel} large />
        <ChevronRight aria-hidden className="size-4 text-muted-foreground" />
      </span>
      <span className="text-metric font-semibold tabular-nums">{total === undefined ? '—' : formatCount(total)}</span>
      <span className="text-dense text-muted-foreground">{children}</span>
    </AreaLink>
  )
}
