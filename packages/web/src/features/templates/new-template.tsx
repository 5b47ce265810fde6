import { ChevronDown, Plus } from 'lucide-react'
import { channels } from '../../channels/index.ts'
import { NewTemplateLink } from '../../channels/parts/templates/new-template-link.tsx'
import { writableLibraries } from '../../channels/libraries.ts'
import { useGo } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

/** Creates a template: by channel, if there are several. */
export function NewTemplate() {
  const go = useGo()
  const libraries = writableLibraries()
  const [first] = libraries
  if (!first) return null
  if (libraries.length === 1) return <NewTemplateLink screens={first.templates.screens} primary />
  return (
    <Menu
      label="New template"
      trigger={
        <Button variant="primary" size="sm">
          <Plus aria-hidden /> New template <ChevronDown aria-hidden />
        </Button>
      }
      items={libraries.map(({ channel, templates: { screens } }) => ({
        label: screens.label,
        icon: channels[channel].mark.menuIcon,
        onSelect: () => go(screens.editorPath),
      }))}
    />
  )
}
