import { LayoutGrid, List } from 'lucide-react'
import { Segmented } from '../../../ui/segmented.tsx'

type LayoutSwitchProps = { layout: 'list' | 'grid'; onLayout: (layout: 'list' | 'grid') => void }

/** Templates as a list or on phones. On a phone they are cards. */
export function LayoutSwitch({ layout, onLayout }: LayoutSwitchProps) {
  return (
    <span className="max-md:hidden">
      <Segmented
        label="Show as"
        value={layout}
        onValueChange={onLayout}
        options={[
          { value: 'list', label: <List aria-hidden />, name: 'List' },
          { value: 'grid', label: <LayoutGrid aria-hidden />, name: 'Grid' },
        ]}
      />
    </span>
  )
}
