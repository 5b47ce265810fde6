import type { RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import type { ReactNode } from 'react'
import { FieldMessage } from '../../../ui/field.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import type { Problems } from '../../parts/templates/problems.tsx'

type LayoutFieldsProps = {
  input: RcsTemplateInput
  problems: Problems
  onChange: (patch: Partial<RcsTemplateInput>) => void
}

const orientations = [
  { value: 'VERTICAL', label: 'Vertical' },
  { value: 'HORIZONTAL', label: 'Horizontal' },
] as const
const alignments = [
  { value: 'LEFT', label: 'Left' },
  { value: 'RIGHT', label: 'Right' },
] as const
const heights = [
  { value: 'SHORT', label: 'Short' },
  { value: 'MEDIUM', label: 'Medium' },
  { value: 'TALL', label: 'Tall' },
] as const
const widths = [
  { value: 'SMALL', label: 'Small' },
  { value: 'MEDIUM', label: 'Medium' },
] as const

/** Orientation and media side of a card, or width of a carousel's cards; and the height of media. */
export function LayoutFields({ input, problems, onChange }: LayoutFieldsProps) {
  const { type, orientation, alignment, height, width } = input
  const isCarousel = type === 'carousel'
  const isBeside = !isCarousel && orientation === 'HORIZONTAL'
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-3">
      {isCarousel ? (
        <Choice label="Card width" at="width">
          <Segmented
            label="Card width"
            size="tool"
            value={width}
            onValueChange={(next) => onChange({ width: next })}
            options={widths}
          />
        </Choice>
      ) : (
        <Choice label="Layout" at="orientation" problem={problems('orientation')}>
          <Segmented
            label="Layout"
            size="tool"
            value={orientation}
            onValueChange={(next) => onChange({ orientation: next })}
            options={orientations}
          />
        </Choice>
      )}
      {isBeside ? (
        <Choice label="Media side" at="alignment">
          <Segmented
            label="Media side"
            size="tool"
            value={alignment}
            onValueChange={(next) => onChange({ alignment: next })}
            options={alignments}
          />
        </Choice>
      ) : (
        <Choice label="Media height" at="height" problem={problems('height')}>
          <Segmented
            label="Media height"
            size="tool"
            value={height}
            onValueChange={(next) => onChange({ height: next })}
            options={heights}
          />
        </Choice>
      )}
    </div>
  )
}

type ChoiceProps = { label: string; at: string; problem?: string | undefined; children: ReactNode }

function Choice({ label, at, problem, children }: ChoiceProps) {
  return (
    <div data-field={at} className="flex flex-col gap-1.5">
      <div className="flex items-center gap-2.5">
        <span className="text-dense text-muted-foreground">{label}</span>
        {children}
      </div>
      {problem ? <FieldMessage text={problem} /> : null}
    </div>
  )
}
