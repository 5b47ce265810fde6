import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { ChevronRight } from 'lucide-react'
import { TemplateBody } from '../template-body.tsx'
import { countOf } from '../../../lib/format.ts'
import { idParam } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useIncluded } from '../../../lib/use-included.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Region } from '../../../ui/region.tsx'
import { templatesToUse } from './templates-to-use.ts'

/** The templates that were used most often, one press from the next campaign; before any was used, the newest. */
export function UseAgain() {
  const mayWrite = useIncluded('template')
  const maySend = useIncluded('campaign')
  const templates = useApi('smsTemplates.list', { query: {} }, { enabled: mayWrite === true })
  const { isAgain, shown } = templatesToUse(templates.data?.templates ?? [])
  if (mayWrite === false || maySend === false) return null
  return (
    <Card
      title={isAgain ? 'Use again' : 'Start from a template'}
      actions={
        <Button variant="ghost" size="sm" asChild>
          <AreaLink to="manage-templates/sms">
            All templates <ChevronRight aria-hidden />
          </AreaLink>
        </Button>
      }
    >
      <Region read={templates} label="templates" lines={3}>
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

function Template({ _id, name, header, body, variables, usedCount }: SmsTemplate) {
  return (
    <li className="flex min-w-0 flex-col rounded-lg border border-line bg-sunken p-3">
      <small className="font-mono text-caption tracking-normal text-muted-foreground">{header}</small>
      <div className="mt-1.5 min-h-20 flex-1 rounded-lg rounded-tl-xs bg-card p-2.5 text-dense shadow-1">
        <p dir="auto" className="line-clamp-4 break-words">
          <TemplateBody body={body} variables={variables} />
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
            to="campaigns/sms-campaign-creation"
            search={{ m: idParam().write(_id) }}
            aria-label={`Use ${name} in a campaign`}
          >
            Use
          </AreaLink>
        </Button>
      </div>
    </li>
  )
}
