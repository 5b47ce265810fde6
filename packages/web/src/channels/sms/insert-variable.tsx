import { Braces } from 'lucide-react'
import type { VariableKind } from '@carillon/contract/channels/sms/sms-variables'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

export const kindLabels: Record<VariableKind, string> = {
  var: 'Any text',
  numeric: 'Digits',
  alphanumeric: 'Letters and digits',
  url: 'Web address',
  urlott: 'Link',
  cbn: 'Telephone number',
  email: 'E-mail address',
}

const kinds: readonly VariableKind[] = ['var', 'numeric', 'alphanumeric', 'url', 'urlott', 'cbn', 'email']

/** Inserts a tag allowed in DLT templates at the caret. */
export function InsertVariable({ onInsert }: { onInsert: (tag: string) => void }) {
  return (
    <Menu
      label="Insert variable"
      trigger={
        <Button variant="ghost" size="tool">
          <Braces aria-hidden /> Insert variable
        </Button>
      }
      items={kinds.map((kind) => ({
        label: `${kindLabels[kind]}  {#${kind}#}`,
        onSelect: () => onInsert(`{#${kind}#}`),
      }))}
    />
  )
}
