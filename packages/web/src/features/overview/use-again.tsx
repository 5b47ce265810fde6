import type { Channel } from '@carillon/contract/channels'
import { ChevronRight } from 'lucide-react'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import type { TemplateToUse } from '../../channels/channel-templates.ts'
import { readableLibraries } from '../../channels/libraries.ts'
import { TemplateText } from '../../channels/parts/templates/template-text.tsx'
import { useApiReads } from '../../lib/use-api-reads.ts'
import { countOf } from '../../lib/format.ts'
import { wizardLink } from '../../lib/links.ts'
import { writeView } from '../../lib/url-state.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Region } from '../../ui/region.tsx'
import { templatesToUse } from './templates-to-use.ts'

/** The most used templates, for another campaign; before any was used, the newest. */
export function UseAgain() {
  const mayWrite = useIncluded('template')
  const maySend = useIncluded('campaign')
  const all = useTemplatesToUse(mayWrite === true)
  const { isAgain, shown } = templatesToUse(all.data ?? [])
  if (mayWrite === false || maySend === false) return null
  return (
    <Card
      title={isAgain ? 'Use again' : 'Start from a template'}
      actions={
        <Button variant="ghost" size="sm" asChild>
          <AreaLink to="manage-templates">
            All templates <ChevronRight aria-hidden />
          </AreaLink>
        </Button>
      }
    >
      <Region read={all} label="templates" lines={3}>
        {() =>
          shown.length === 0 ? (
            <p className="px-4 pb-4 text-muted-foreground">Approved templates appear here.</p>
          ) : (
            <ul className="grid gap-3 px-4 pb-4 md:grid-cols-3">
              {shown.map((template) => (
                <Template key={template._id} {...template} />
              ))}
            </ul>
          )
        }
      </Region>
    </Card>
  )
}

/** The newest templates of all channels as one query; a channel that fails does not affect the others. */
function useTemplatesToUse(enabled: boolean) {
  const libraries = readableLibraries()
  const reads = useApiReads(
    libraries.map(({ templates }) => templates.toUse),
    { enabled },
  )
  const isPending = reads.some((read) => read.isPending)
  const loaded = reads.filter(({ data }) => data !== undefined)
  const templates = libraries.flatMap(({ channel, templates: { screens } }, index) =>
    (reads[index]?.data ?? []).map((template) => ({ ...template, channel, wizardPath: screens.wizardPath })),
  )
  return {
    isPending,
    data: isPending || loaded.length === 0 ? undefined : templates,
    error: reads.find(({ error }) => error)?.error ?? null,
    refetch: () => reads.forEach((read) => void read.refetch()),
    dataUpdatedAt: Math.min(...loaded.map(({ dataUpdatedAt }) => dataUpdatedAt)),
  }
}

type TemplateProps = TemplateToUse & { channel: Channel; wizardPath: string }

function Template({ _id, name, caption, pieces, usedCount, channel, wizardPath }: TemplateProps) {
  return (
    <li className="flex min-w-0 flex-col rounded-lg border border-line bg-sunken p-3">
      <span className="flex min-w-0 items-center gap-1.5">
        <ChannelMark channel={channel} markOnly />
        <small className="truncate font-mono text-caption tracking-normal text-muted-foreground">{caption}</small>
      </span>
      <div className="mt-1.5 min-h-20 flex-1 rounded-lg rounded-tl-xs bg-card p-2.5 text-dense shadow-1">
        <p dir="auto" className="line-clamp-4 break-words">
          <TemplateText pieces={pieces} />
        </p>
      </div>
      <div className="mt-3 flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <b className="block truncate font-medium">{name}</b>
          <small className="text-caption text-muted-foreground">
            {usedCount === 0 ? 'Not used yet' : `Used ${countOf(usedCount, 'time')}`}
          </small>
        </div>
        <Button size="sm" asChild>
          <AreaLink
            to={wizardPath}
            search={writeView(wizardLink, { templateId: _id })}
            aria-label={`Use ${name}, ${caption}, in a campaign`}
          >
            Use
          </AreaLink>
        </Button>
      </div>
    </li>
  )
}
