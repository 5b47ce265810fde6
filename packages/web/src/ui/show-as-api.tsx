import type { ApiCall } from '@carillon/contract'
import { routes } from '@carillon/contract/routes.gen'
import { Code, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { copy } from './copy.ts'
import { toast } from './toast.tsx'

type ShowAsApiProps = {
  call: ApiCall
  path?: Record<string, string>
  body?: object
  /** An uploaded file, which makes the request a form. */
  file?: string | undefined
  compact?: boolean
}

/** Shows the API request for the current screen's action. */
export function ShowAsApi({ call, path = {}, body, file, compact }: ShowAsApiProps) {
  const [isOpen, setOpen] = useState(false)
  const command = asCurl({ route: routes[call], path, body, file, origin: location.origin })

  const copyCommand = () => copy(command, () => toast.success('Command copied'))

  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className={compact ? 'max-xl:hidden' : 'max-md:hidden'}
        onClick={() => setOpen(true)}
      >
        <Code aria-hidden /> Show as API
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        width="large"
        title="Show as API"
        description="The same request with curl. Replace $CARILLON_KEY with your API key."
        footer={
          <Button variant="primary" onClick={copyCommand}>
            <Copy aria-hidden /> Copy command
          </Button>
        }
      >
        <pre
          tabIndex={0}
          className="max-h-100 overflow-auto rounded-md border border-border bg-sunken p-3 font-mono text-dense whitespace-pre"
        >
          {command}
        </pre>
      </Dialog>
    </>
  )
}

type Request = {
  route: { method: string; path: string }
  path: Record<string, string>
  body: object | undefined
  file?: string | undefined
  origin: string
}

/** A shell command; quotes in values are escaped. */
export function asCurl({ route, path, body, file, origin }: Request): string {
  const address = origin + route.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => path[key] ?? `{${key}}`)
  const lines = [`curl -X ${route.method} ${quoted(address)}`, `  -H "Authorization: Bearer $CARILLON_KEY"`]
  if (file !== undefined) {
    // Text fields first: the server streams the form and needs them before the file.
    for (const [field, value] of Object.entries(body ?? {}))
      lines.push(`  --form-string ${quoted(`${field}=${asText(value)}`)}`)
    lines.push(`  -F ${quoted(`file=@${file}`)}`)
  } else if (body !== undefined) {
    lines.push(`  -H 'Content-Type: application/json'`, `  -d ${quoted(JSON.stringify(body, null, 2))}`)
  }
  return lines.join(' \\\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
