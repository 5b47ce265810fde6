import { exampleLink } from '@carillon/contract/link-addresses'
import type { LinkSettings } from '@carillon/contract/links'
import { useState } from 'react'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Region } from '../../ui/region.tsx'
import { toast } from '../../ui/toast.tsx'

/** The host name of tracked links. */
export function LinksSection() {
  const settings = useApi('links.settings', {})
  return (
    <Region read={settings} label="the link settings" lines={4}>
      {(data) => <LinkDomain key={data.host} settings={data} />}
    </Region>
  )
}

function LinkDomain({ settings: { host, origin } }: { settings: LinkSettings }) {
  const [text, setText] = useState(host ?? '')
  const update = useApiWrite('links.updateSettings', {
    refreshes: ['links.settings'],
    onSuccess: () => toast.success('Link domain saved'),
  })
  const isChanged = text.trim() !== (host ?? '')
  return (
    <form
      aria-label="Link domain"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({ body: { host: text.trim() === '' ? null : text.trim() } })
      }}
    >
      <p className="text-muted-foreground">
        Tracked links in campaigns look like{' '}
        <span className="font-mono text-dense break-all">{exampleLink(origin)}</span>. Recipients trust a domain of your
        own, and operators are less likely to block it.
      </p>
      <Field
        label="Link domain"
        hint="(optional)"
        help="Point its DNS record to this installation, with a certificate for it. Without one, links use the address of the platform. Campaigns that are validated already keep theirs."
        error={update.error?.message}
      >
        <Input
          value={text}
          maxLength={100}
          placeholder="go.example.com"
          spellCheck={false}
          onChange={({ target }) => {
            setText(target.value)
            update.reset()
          }}
        />
      </Field>
      <div>
        <Button type="submit" variant="primary" loading={update.isPending} disabled={!isChanged}>
          Save
        </Button>
      </div>
    </form>
  )
}
