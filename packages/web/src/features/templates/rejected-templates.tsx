import { ChannelMark } from '../../channels/channel-mark.tsx'
import type { FoundTemplate } from '../../channels/channel-templates.ts'
import { editorView } from '../../channels/parts/templates/editor-view.ts'
import type { Library } from '../../channels/libraries.ts'
import { writeView } from '../../lib/url-state.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'

type RejectedTemplatesProps = {
  libraries: readonly Library[]
  /** Maximum per library. */
  found: readonly (readonly FoundTemplate[])[]
}

/** Rejected templates of every channel, each with a link to its editor. */
export function RejectedTemplates({ libraries, found }: RejectedTemplatesProps) {
  const rows = libraries.flatMap(({ channel, templates: { screens } }, index) =>
    (found[index] ?? []).map(({ _id, name }) => ({ _id, name, channel, editorPath: screens.editorPath })),
  )
  if (rows.length === 0) return null
  return (
    <section className="pb-8 screen-x" aria-labelledby="attention-title">
      <h2 id="attention-title" className="mb-2 text-section font-semibold">
        Needs attention
      </h2>
      <ul className="border-y border-border">
        {rows.map(({ _id, name, channel, editorPath }) => (
          <li key={_id} className="flex min-h-10 items-center gap-3 border-b border-line last:border-0">
            <ChannelMark channel={channel} markOnly />
            <span className="min-w-0 flex-1 truncate">
              <b>{name}</b> <span className="text-muted-foreground">was rejected</span>
            </span>
            <Button asChild size="tool">
              <AreaLink to={editorPath} search={writeView(editorView, { templateId: _id })} aria-label={`Fix ${name}`}>
                Fix
              </AreaLink>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
