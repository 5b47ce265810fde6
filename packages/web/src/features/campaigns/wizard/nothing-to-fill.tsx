import { Check } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'

type NothingToFillProps = { lacks: 'audience' | 'template'; onStep: (step: 'audience' | 'template') => void }

/** Empty state before an audience and a template are chosen. */
export function NothingToFill({ lacks, onStep }: NothingToFillProps) {
  const isTemplate = lacks === 'template'
  return (
    <Empty
      icon={Check}
      title={isTemplate ? 'Choose a template first' : 'Add an audience first'}
      actions={
        <Button variant="primary" onClick={() => onStep(lacks)}>
          {isTemplate ? 'Choose a template' : 'Add an audience'}
        </Button>
      }
    >
      Then map each variable to a column.
    </Empty>
  )
}

export function SameForAll({ name }: { name: string }) {
  return (
    <Empty icon={Check} title="No variables">
      {name} has no variables; everyone gets the same text.
    </Empty>
  )
}
