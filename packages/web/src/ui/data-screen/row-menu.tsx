import { Ellipsis } from 'lucide-react'
import { IconButton } from '../button.tsx'
import { Menu, type MenuItem } from '../menu.tsx'

export function RowMenu({ name, items }: { name: string; items: readonly MenuItem[] }) {
  return (
    <Menu
      label={`Actions for ${name}`}
      items={items}
      trigger={
        <IconButton
          label={`Actions for ${name}`}
          size="tool"
          className="pointer-coarse:-my-2 pointer-coarse:-mr-2.5 pointer-coarse:size-11"
        >
          <Ellipsis aria-hidden />
        </IconButton>
      }
    />
  )
}
