import { Plus } from 'lucide-react'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import type { TemplateScreens } from '../../channel-templates.ts'

type NewTemplateLinkProps = { screens: TemplateScreens; primary?: boolean }

/** Opens the channel's template editor. */
export function NewTemplateLink({ screens: { label, editorPath }, primary = false }: NewTemplateLinkProps) {
  return (
    <Button asChild size="sm" {...(primary ? { variant: 'primary' as const } : {})}>
      <AreaLink to={editorPath}>
        <Plus aria-hidden /> New {label}
      </AreaLink>
    </Button>
  )
}
