import { Button } from '../../ui/button.tsx'
import type { ButtonProps } from '../../ui/plain-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'

/** A button for a change; if changes are closed, it keeps its place and says why. */
export function WriteButton({ closed, ...rest }: ButtonProps & { closed: string | undefined }) {
  if (closed === undefined) return <Button {...rest} />
  return (
    <Tooltip label={closed}>
      <Button {...rest} aria-disabled />
    </Tooltip>
  )
}
