import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { countOf } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { RowMenu } from '../../../ui/data-screen/row-menu.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { editorView } from '../../parts/templates/editor-view.ts'
import { TemplatePill } from '../../parts/templates/status-pill.tsx'
import { MiniPhone } from '../../phone/mini-phone.tsx'
import { rcsMessageOf } from '../phone-message.ts'
import { statusLooks, typeOf } from '../template-labels.tsx'
import { countSuggestions, textOf } from '../template-text.ts'
import { botOf, brandOf, useRcsBots } from '../use-bots.ts'
import { rcsTemplateScreens } from './screens.ts'

type GridCardProps = { template: RcsTemplate; menu: readonly MenuItem[] }

/** A template on a phone, cropped to its message. */
export function RcsGridCard({ template, menu }: GridCardProps) {
  const { bots } = useRcsBots()
  const { _id, name, status, botId } = template
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-border bg-card p-3">
      <div className="flex items-center gap-1">
        <AreaLink
          to={rcsTemplateScreens.editorPath}
          search={writeView(editorView, { templateId: _id })}
          className="min-w-0 flex-1 truncate font-medium hover:underline"
        >
          {name}
        </AreaLink>
        <RowMenu name={name} items={menu} />
      </div>
      <div aria-hidden inert className="flex h-64 justify-center overflow-hidden rounded-md bg-sunken [&>*]:-mt-5">
        <MiniPhone scale={0.58} message={rcsMessageOf(template, brandOf(botOf(bots, botId) ?? bots[0]))} />
      </div>
      <p className="sr-only">{textOf(template)}</p>
      <div className="flex items-center gap-2 text-caption text-muted-foreground tabular-nums">
        <TemplatePill look={statusLooks[status]} />
        <span className="truncate">
          {typeOf(template)} · {countOf(countSuggestions(template), 'suggestion')}
        </span>
      </div>
    </li>
  )
}
